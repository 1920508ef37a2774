import { z } from "zod"
import { currentAsks } from "../jobs/asks.ts"
import type { Job } from "../jobs/job.ts"
import { parseJson } from "../lib/json.ts"
import { fileShape, quoteShape } from "../slack/message-content.ts"
import { unreadReasons } from "../slack/read-file.ts"
import { parseRecord } from "../store/record-fields.ts"

const PROMPTS_VERSION = 3

const optional = <S extends z.ZodType>(shape: S) => z.exactOptional(shape)

export const promptShape = z.object({
  words: z.string(),
  /** Name of the requester, once looked up; it labels requests that are sent together. */
  speaker: optional(z.string()),
  /** Ids of people mentioned in the text, which the worker has yet to replace with names. */
  names: optional(z.array(z.string())),
  /** Quoted messages of its thread, those of `threadRange`. */
  thread: optional(z.string()),
  /** Other quoted messages and files that precede the text in the prompt. */
  context: optional(z.string()),
  /** Messages of a thread to read and quote: from the last sent request to this one. */
  threadRange: optional(
    z.object({
      channel: z.string(),
      thread: z.string(),
      from: optional(z.string()),
      until: z.string(),
    }),
  ),
  /** Messages passed on, of which the worker has yet to add the members' to the context. */
  quotes: optional(z.array(quoteShape)),
  /** Attached files that the worker has yet to read into the context. */
  files: optional(z.array(fileShape)),
  /** Attached files of which the agent sees only the name; the bot tells the requester. */
  unread: optional(z.array(fileShape.extend({ why: z.enum(unreadReasons) }))),
})
/** Text of one request, stored apart from the job because it is long and deleted earlier. */
export type Prompt = z.infer<typeof promptShape>

/** Prompts of a job, by the id of the request. */
export type Prompts = Readonly<Record<string, Prompt>>

const promptsShape = z.object({
  v: z.literal(PROMPTS_VERSION),
  asks: z.record(z.string(), promptShape),
})

export function fromPrompts(asks: Prompts): string {
  return JSON.stringify({ v: PROMPTS_VERSION, asks })
}

/** Parses the prompts of a job. @throws RecordError if the text does not parse */
export function toPrompts(id: string, text: string): Prompts {
  return parseRecord(promptsShape, `words of job ${id}`, parseJson(text)).asks
}

/** Job with the text of its requests. */
export interface Prompted {
  job: Job
  prompts: Prompts
}

/** Returns the text of the round's newest request if it is a follow-up that came from a form. */
export function formWords({ job, prompts }: Prompted): string {
  const newest = currentAsks(job).at(-1)
  const isSeen = newest === job.asks[0] || newest?.ts !== undefined || newest?.kind === "review"
  return isSeen ? "" : (prompts[newest?.id ?? ""]?.words ?? "")
}

export function firstWords({ job: { asks }, prompts }: Prompted): string {
  return prompts[asks[0]?.id ?? ""]?.words ?? ""
}
