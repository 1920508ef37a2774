import { z } from "zod"
import { unreadReasons } from "../jobs/attached.ts"
import type { Prompt } from "../jobs/ports.ts"
import { parseJson } from "../text/json.ts"
import { RecordError } from "./record.ts"

const fileRecord = z.object({
  id: z.string(),
  name: z.string().exactOptional(),
  type: z.string().exactOptional(),
  size: z.number().exactOptional(),
  state: z.enum(["deleted", "hidden"]).exactOptional(),
})

const promptRecord = z.object({
  v: z.literal(1),
  words: z.string(),
  context: z.string().exactOptional(),
  earlier: z.string().exactOptional(),
  origin: z.string().exactOptional(),
  talk: z.object({ from: z.string().exactOptional(), until: z.string() }).exactOptional(),
  files: z.array(fileRecord).exactOptional(),
  unread: z.array(fileRecord.extend({ why: z.enum(unreadReasons) })).exactOptional(),
})

export function fromPrompt(prompt: Prompt): string {
  return JSON.stringify({ v: 1, ...prompt })
}

/** @throws RecordError when the stored prompt is broken. */
export function toPrompt(id: string, text: string): Prompt {
  const parsed = promptRecord.safeParse(parseJson(text))
  if (!parsed.success) throw new RecordError(`The stored prompt of job ${id} cannot be read.`)
  const { v: _, ...prompt } = parsed.data
  return prompt
}
