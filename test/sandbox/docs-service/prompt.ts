import { z } from "zod"
import type { Reply } from "../kit/reply.ts"
import { readBody } from "./request-body.ts"

const promptSchema = z.object({ prompt: z.string().min(1) })

/** The prompt in a request body, or the 400 that says what is wrong with it. */
export function readPrompt(
  contentType: string,
  body: string,
): { prompt: string } | { refusal: Reply } {
  const read = readBody(promptSchema, contentType, body)
  return "refusal" in read ? read : { prompt: read.value.prompt }
}
