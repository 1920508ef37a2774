import { z } from "zod"
import type { Draft } from "../../jobs/ports.ts"
import { parseJson } from "../../text/json.ts"
import { fromPrompt, toPrompt } from "../prompt-record.ts"
import { RecordError } from "../record.ts"

const draftRecord = z.object({
  v: z.literal(1),
  project: z.string(),
  team: z.string(),
  channel: z.string(),
  user: z.string(),
  thread: z.string().exactOptional(),
  asked: z.string().exactOptional(),
  first: z.string().exactOptional(),
  previous: z.string().exactOptional(),
  follows: z.string().exactOptional(),
  prLink: z.string().exactOptional(),
  quiet: z.boolean().exactOptional(),
  replyUrl: z.string().exactOptional(),
  replyThread: z.string().exactOptional(),
  prompt: z.string(),
})

export function fromDraft(draft: Draft): string {
  return JSON.stringify({ v: 1, ...draft, prompt: fromPrompt(draft.prompt) })
}

/** @throws RecordError when it is broken or of another version: the person asks again. */
export function toDraft(text: string): Draft {
  const parsed = draftRecord.safeParse(parseJson(text))
  if (!parsed.success) throw new RecordError("The stored draft cannot be read.")
  const { v: _, prompt, ...rest } = parsed.data
  return { ...rest, prompt: toPrompt("draft", prompt) }
}
