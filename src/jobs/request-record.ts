import { z } from "zod"
import { parseJson } from "../lib/json.ts"
import type { Quoted } from "../lib/mark-quotes.ts"
import { bytesInJson } from "../lib/truncate.ts"
import { unreadReasons } from "../slack/accepted-text-files.ts"
import { fileShape, quoteShape } from "../slack/read-message.ts"
import { parseRecord, RecordError } from "../store/record-fields.ts"
import type { OnBroken } from "../store/records.ts"
import type { Store } from "../store/script.ts"
import type { Job } from "./job.ts"
import { jobKeys } from "./job-keys.ts"
import type { Ask } from "./round-record.ts"
import { currentAsks, firstAsk, followUpsShown } from "./rounds.ts"

const TEXT_VERSION = 4
export const DRAFT_VERSION = 3

/** Text of ours, in which what others wrote was marked before it was stored. */
const quotedText = z.custom<Quoted>((text) => typeof text === "string")

const promptShape = z.object({
  words: z.string(),
  /** Name of the requester, once looked up; it labels requests that are sent together. */
  speaker: z.string().optional(),
  /** Ids of people mentioned in the text, which the worker has yet to replace with names. */
  names: z.array(z.string()).optional(),
  /** Quoted messages of its thread, those of `threadRange`. */
  thread: quotedText.optional(),
  /** Other quoted messages that follow the text in the prompt. */
  context: quotedText.optional(),
  /** Messages of a thread to read and quote: from the last sent request to this one. */
  threadRange: z
    .object({
      channel: z.string(),
      thread: z.string(),
      from: z.string().optional(),
      until: z.string(),
    })
    .optional(),
  /** Messages passed on, of which the worker has yet to add the members' to the context. */
  quotes: z.array(quoteShape).optional(),
  /** Attached files that the worker has yet to read into the context. */
  files: z.array(fileShape).optional(),
  /** Attached files of which the agent sees only the name; the bot tells the requester. */
  unread: z.array(fileShape.extend({ why: z.enum(unreadReasons) })).optional(),
})
/** Text of one request, stored apart from the job because it is long and deleted earlier. */
export type Prompt = z.infer<typeof promptShape> & {
  /** Words as typed, if names have replaced mentions in them since. */
  typed?: string | undefined
  /** Attached files, quoted: a record of its own, deleted once they were sent for good. */
  attached?: Quoted
}

/** Prompts by the id of the request. */
export type Prompts = Readonly<Record<string, Prompt>>

// Only here, because what is typed into a draft's form replaces the words themselves.
const storedShape = promptShape.extend({
  v: z.literal(TEXT_VERSION),
  typed: z.string().optional(),
})

export function fromPrompt(whole: Prompt): string {
  const { attached: _, ...prompt } = whole
  return JSON.stringify({ ...prompt, v: TEXT_VERSION })
}

/** Parses a request's text. @throws RecordError if it does not parse */
function toPrompt(id: string, text: string): Prompt {
  const { v: _, ...prompt } = parseRecord(storedShape, `words of request ${id}`, parseJson(text))
  return prompt
}

/** Returns the words to compare with those of a message, in which mentions are ids. */
export function typedWords({ words, typed = words }: Prompt): string {
  return typed
}

/** Returns the bytes of a request that count for its round; quoted threads fill what is left. */
export function bytesOfPrompt({ words, context, attached }: Prompt) {
  const bytes = bytesInJson(words) + bytesInJson(context ?? "")
  return attached === undefined ? { bytes } : { bytes, fileBytes: bytesInJson(attached) }
}

export const draftShape = z.object({
  v: z.literal(DRAFT_VERSION),
  project: z.string(),
  channel: z.string(),
  user: z.string(),
  thread: z.string().optional(),
  /** Timestamp of the message with the request, if it came as one. */
  ts: z.string().optional(),
  /** Time of the edit of that message that it is read from, as Slack writes it. */
  edited: z.string().optional(),
  /** Job of its thread that this request is about; otherwise the latest one of its project. */
  job: z.string().optional(),
  /** Ids of the reviews of that job's pull request whose comments it quotes. */
  reviews: z.array(z.string()).optional(),
  /** Ids of the requests of that job that this one replaces, whose words go. */
  replaces: z.array(z.string()).optional(),
  /** `response_url` for a private answer if the bot cannot post the card. */
  replyUrl: z.string().optional(),
  prompt: promptShape,
  /** Keys of the gap that the request is about: see `visitors/requested-gaps.ts`. */
  gaps: z.array(z.string()).optional(),
})

/** Request that waits until the requester fills in a form or answers a question about it. */
export type Draft = Omit<z.infer<typeof draftShape>, "v">

export interface NewRequest extends Draft {
  /** Id of the command, message or form that Slack sent, so that each starts at most one job. */
  delivery: string
  /** Id of Slack's event, for the log. */
  event?: string | undefined
  /** True if the person wants this request although it is identical to an earlier one. */
  anyway?: boolean | undefined
  /** Earlier job that the new one continues. */
  continuesJob?: string | undefined
}

/** Request as the job stores it, and as it arrived. */
export interface Accepted {
  ask: Ask
  request: Omit<NewRequest, "delivery">
}

/** Refusal of a request because too much waits already, or because Redis is nearly full. */
export type Full =
  | { outcome: "full"; of: "waiting" | "follow_ups" | "bytes"; most: number }
  | { outcome: "no_room" }

export type Submitted =
  | { outcome: "queued"; id: string }
  /** Delivery that was accepted before, and that Slack or somebody else has sent again. */
  | { outcome: "known"; id: string }
  /** Repetition of a recent request, which the person may want anyway. */
  | { outcome: "same"; id: string }
  | Full

/** Job with the text of its requests, or of those that somebody needs. */
export interface Prompted {
  job: Job
  prompts: Prompts
}

/** Returns the requests whose words the card shows. */
export function shownAsks(job: Job) {
  const shown = [firstAsk(job), shownInRound(job), ...followUpsShown(job)]
  return shown.filter((ask) => ask !== undefined)
}

/** Returns the text that the card shows beside who asked for the round. */
export function roundWords({ job, prompts }: Prompted): string {
  return prompts[shownInRound(job)?.id ?? ""]?.words ?? ""
}

/** Returns the follow-up that leads a queued round or, once sent, the newest if it is from a form. */
function shownInRound(job: Job) {
  const isQueued = job.state === "queued"
  const ask = currentAsks(job).at(isQueued ? 0 : -1)
  const isSeen = ask?.id === firstAsk(job)?.id || (!isQueued && ask?.ts !== undefined)
  return isSeen || ask?.kind === "review" ? undefined : ask
}

export function firstWords({ job, prompts }: Prompted): string {
  return prompts[firstAsk(job)?.id ?? ""]?.words ?? ""
}

/** Part of a request that says under which keys its texts are. */
export type TextOwner = Pick<Ask, "id" | "fileBytes">

/** Creates the reader of requests' texts: records of their own, read only where they are needed. */
export function createTexts({ redis }: Store, onBroken: OnBroken) {
  /** Resolves to a text of ours, which was marked before it was stored. */
  async function stored(key: string): Promise<Quoted | null> {
    try {
      return (await redis.get(key)) as Quoted | null
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("WRONGTYPE"))) throw error
      onBroken(key, error)
      return null
    }
  }

  /** Resolves to the texts that are still stored, without attached files. */
  async function promptsOf(asks: readonly TextOwner[]): Promise<Prompts> {
    const texts = await Promise.all(asks.map(({ id }) => stored(jobKeys.words(id))))
    const found: Record<string, Prompt> = {}
    for (const [n, { id }] of asks.entries()) {
      const text = texts[n]
      if (!text) continue
      try {
        found[id] = toPrompt(id, text)
      } catch (error) {
        if (!(error instanceof RecordError)) throw error
        onBroken(jobKeys.words(id), error)
      }
    }
    return found
  }

  return {
    promptsOf,

    /** Resolves to the texts that are still stored, with attached files. */
    async wholePromptsOf(asks: readonly TextOwner[]): Promise<Prompts> {
      const prompts = await promptsOf(asks)
      const withFiles = asks.filter(({ fileBytes }) => fileBytes !== undefined)
      const files = await Promise.all(withFiles.map(({ id }) => stored(jobKeys.files(id))))
      const whole = withFiles.flatMap(({ id }, n): [string, Prompt][] => {
        const [prompt, attached] = [prompts[id], files[n]]
        return prompt && attached ? [[id, { ...prompt, attached }]] : []
      })
      return { ...prompts, ...Object.fromEntries(whole) }
    },
  }
}
