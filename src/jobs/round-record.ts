import { z } from "zod"

/**
 * Reasons why a round of a job ended; each has its own words in `messages/ending-words.ts`.
 * - `lost`: the service had reported no end when `JOB_TIMEOUT_MINUTES` had passed
 * - `gone`: the service answered 404 twice, at a `DOCS_JOB_PATH` that has found jobs
 * - `unknown`: the bot may have sent the creation, so it does not repeat it
 * - `refused`: the service refused the creation for good (a 400, say, or a 403 to this one alone)
 * - `no_card`: the bot could not post the card, so the service started no job
 * - `not_allowed`: the requester may not ask and was told so privately; the service started no job
 * - `unreadable`: the bot could not read the text that it had stored, or prepare the request for
 *   another reason, and told the requester so privately; the service started no job
 */
export const endings = [
  "pull_request",
  "no_pull_request",
  "failed",
  "archived",
  "lost",
  "gone",
  "unknown",
  "refused",
  "cancelled",
  "no_card",
  "not_allowed",
  "unreadable",
] as const
export type Ending = (typeof endings)[number]

/** Endings of rounds that were never sent: not quoted, not replied to, no repeat of another. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "cancelled",
  "no_card",
  "not_allowed",
  "unreadable",
])

/**
 * Reasons why the agent was not sent all words; the card says which.
 * - `unread`: the bot could not read the earlier messages
 * - `outsiders`: some were by guests or people of other organizations
 */
const notes = ["unread", "outsiders"] as const

/** One person's request within a job. Its text is a record of its own: see `request-record.ts`. */
export const askShape = z.object({
  /** Opaque id, which the request's *Cancel* button carries and its text is stored under. */
  id: z.string(),
  user: z.string(),
  at: z.number(),
  /** Timestamp of the request's message, if any; the next follow-up reads the thread from there. */
  ts: z.string().optional(),
  kind: z.enum(["request", "review"]),
  /** Time of the edit of its message that the stored text has, as Slack writes it. */
  edited: z.string().optional(),
  /** Bytes of its words and quotes, and of its attached files, within those that a round may have. */
  bytes: z.number().optional(),
  fileBytes: z.number().optional(),
  /** Set if some of what the request refers to is left out. */
  note: z.enum(notes).optional(),
  /** Set once the bot has looked up the person and read what the request refers to. */
  isPrepared: z.literal(true).optional(),
  /** Set if the person asked to be forgotten; the bot keeps no text of the request. */
  isForgotten: z.literal(true).optional(),
})
export type Ask = z.infer<typeof askShape>

const toldShape = z.object({
  /** Timestamp of the closing reply; absent if the bot told people privately, nobody, or gave up. */
  ts: z.string().optional(),
  users: z.array(z.string()),
  hash: z.string(),
  /** Phase of the pull request that the reply is about; absent for a ready one. */
  phase: z.enum(["draft", "over"]).optional(),
})

/**
 * Round of a conversation, which sends its requests as one creation or as one message
 * to the service's job. A round that ended is history; a later change leaves it as it was.
 */
export const roundShape = z.object({
  /** Opaque id, which no other attempt of any job has; its closing reply is named by it. */
  id: z.string(),
  at: z.number(),
  way: z.enum(["creation", "message"]),
  asks: z.array(askShape),
  /** Person who repeated the round before, to run it or only to look for its pull request again. */
  again: z.object({ user: z.string(), how: z.enum(["run", "look"]) }).optional(),
  /** Set if many of the bot's pull requests waited for people when this was asked. */
  manyWait: z.literal(true).optional(),
  startedAt: z.number().optional(),
  /** Set if the service reported that its job is active again after the message. */
  seenActive: z.literal(true).optional(),
  /** Number of 404 answers since the service last returned the job. */
  misses: z.number().optional(),
  /** Size of the pull request when the message was sent, to say what the round changed. */
  sizeBefore: z.object({ files: z.number(), added: z.number(), removed: z.number() }).optional(),
  ending: z.enum(endings).optional(),
  endedAt: z.number().optional(),
  /** Refusal in the words of the service or Slack, short and masked. */
  detail: z.string().optional(),
  /** Closing reply and whom it mentions, once people were told how the round ended. */
  told: toldShape.optional(),
})
export type Round = z.infer<typeof roundShape>

/** Returns whether the agent was never sent the round or request, although it ended. */
export function wasNeverSent({ ending }: { ending?: string | undefined }): boolean {
  return ending !== undefined && NEVER_SENT.has(ending)
}

/** Returns whether people were told how the round ended, or need no message about it. */
export function isTold(round: Pick<Round, "told" | "ending">): boolean {
  return round.told !== undefined || wasNeverSent(round)
}

/** Names a new round by its first request and the time at which it begins. */
export function roundId([first]: readonly Pick<Ask, "id">[], now: number): string {
  return `${first?.id ?? ""}-${Math.round(now).toString(36)}`
}
