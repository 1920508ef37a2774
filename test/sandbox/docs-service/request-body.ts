import { z } from "zod"
import { failure, type Reply } from "../kit/reply.ts"

/** Returns the JSON in a request body, or the 400 that describes the error. */
function readBody<T>(
  schema: z.ZodType<T>,
  contentType: string,
  body: string,
): { value: T } | { refusal: Reply } {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return { refusal: failure(400, "Content-Type must be application/json") }
  }
  const value = parseJson(body)
  if (value === undefined) return { refusal: failure(400, "The body is not valid JSON") }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
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

const promptSchema = z.object({ prompt: z.string().min(1) })

/** Returns the prompt in a request body, or the 400 that describes the error. */
export function readPrompt(
  contentType: string,
  body: string,
): { prompt: string } | { refusal: Reply } {
  const read = readBody(promptSchema, contentType, body)
  return "refusal" in read ? read : { prompt: read.value.prompt }
}
