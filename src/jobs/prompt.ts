import { z } from "zod"
import { parseRecord } from "../store/record.ts"
import { parseJson } from "../text/json.ts"
import { unreadReasons } from "./attached.ts"
import type { Job } from "./job.ts"

const WORDS_VERSION = 2

const optional = <S extends z.ZodType>(shape: S) => z.exactOptional(shape)

const fileShape = z.object({
  id: z.string(),
  name: optional(z.string()),
  /** A MIME type, which need not be true. */
  type: optional(z.string()),
  /** Bytes, which need not be true either. */
  size: optional(z.number()),
  /** Nothing of it is left, or the workspace's plan hides it. */
  state: optional(z.enum(["deleted", "hidden"])),
})
/** A file that somebody attached, as far as Slack tells about it. */
export type FileFacts = z.infer<typeof fileShape>

export const promptShape = z.object({
  /** The words as typed. */
  words: z.string(),
  /** Their name, once it was looked up: requests that go together are labelled with it. */
  speaker: optional(z.string()),
  /** Ids of people who are named in the words, still to be replaced by their names. */
  names: optional(z.array(z.string())),
  /** Quoted talk that travels before the words. */
  context: optional(z.string()),
  /** Thread messages still to be read into the context: after `from`, up to `until`. */
  talk: optional(z.object({ from: optional(z.string()), until: z.string() })),
  /** Files that were attached, still to be read into the context. */
  files: optional(z.array(fileShape)),
  /** Attached files of which the agent gets the name only, for the requester to be told. */
  unread: optional(z.array(fileShape.extend({ why: z.enum(unreadReasons) }))),
  /** Print of the gap that it is about, beside which others see that it was requested. */
  about: optional(z.string()),
})
/** The words of one request, kept apart from the job's record: they are long, and forgotten earlier. */
export type Prompt = z.infer<typeof promptShape>

/** The words of a job's requests, by the id of each. */
export type Words = Readonly<Record<string, Prompt>>

const wordsShape = z.object({
  v: z.literal(WORDS_VERSION),
  asks: z.record(z.string(), promptShape),
})

export function fromWords(asks: Words): string {
  return JSON.stringify({ v: WORDS_VERSION, asks })
}

/** @throws RecordError where they are broken */
export function toWords(id: string, text: string): Words {
  return parseRecord(wordsShape, `words of job ${id}`, parseJson(text)).asks
}

/** The words that a card quotes: those of the first request. */
export function firstWords({ asks }: Pick<Job, "asks">, words: Words): string {
  const [first] = asks
  return (first && words[first.id]?.words) ?? ""
}

/** Tells whether a prompt refers to something in Slack that was not read yet. */
export function isToRead({ talk, files, names }: Prompt): boolean {
  return talk !== undefined || files !== undefined || names !== undefined
}
