import { z } from "zod"
import { parseJson } from "../kit/json.ts"
import { failure, type Reply } from "../kit/reply.ts"

const schema = z.object({ prompt: z.string().min(1) })

/** Returns the prompt in a request body, or the 400 that describes the error. */
export function readPrompt(
  contentType: string,
  body: string,
): { prompt: string } | { refusal: Reply } {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return { refusal: failure(400, "Content-Type must be application/json") }
  }
  const value = parseJson(body)
  if (value === undefined) return { refusal: failure(400, "The body is not valid JSON") }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: path.join("."),
    message,
  }))
  return { refusal: failure(400, "Invalid request body", details) }
}
