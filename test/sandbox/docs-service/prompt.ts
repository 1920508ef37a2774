import { z } from "zod"
import { failure, type Reply } from "./reply.ts"

const promptSchema = z.object({ prompt: z.string().min(1) })

/** The prompt in a request body, or the 400 that says what is wrong with it. */
export function readPrompt(
  contentType: string,
  body: string,
): { prompt: string } | { refusal: Reply } {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return { refusal: failure(400, "Content-Type must be application/json") }
  }
  const value = parseJson(body)
  if (value === undefined) return { refusal: failure(400, "The body is not valid JSON") }
  const parsed = promptSchema.safeParse(value)
  if (parsed.success) return { prompt: parsed.data.prompt }
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: path.join("."),
    message,
  }))
  return { refusal: failure(400, "Invalid request body", details) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
