import { z } from "zod"
import type { Draft } from "../../jobs/ports.ts"
import { parseJson } from "../../text/json.ts"
import { fromPrompt, toPrompt } from "../prompt-record.ts"
import { RecordError } from "../record.ts"

/** Whatever is asked for, but not what it came in: what is not named here is lost when it is confirmed. */
const fields = {
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
  hadPull: z.literal(true).exactOptional(),
  isRetry: z.literal(true).exactOptional(),
  channelName: z.string().exactOptional(),
  quiet: z.boolean().exactOptional(),
  replyUrl: z.string().exactOptional(),
  replyThread: z.string().exactOptional(),
  prompt: z.string(),
} satisfies Record<Exclude<keyof Draft, "deferred" | "via">, z.ZodType>

const draftRecord = z.object({ v: z.literal(1), ...fields })

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
