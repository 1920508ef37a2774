import { createHash, randomBytes } from "node:crypto"
import { z } from "zod"
import type { SlackState } from "../slack/identity.ts"
import { flagField, jsonField, numberField, parseRecord } from "../store/record-fields.ts"
import { pauseReasons } from "./pause-record.ts"
import { askShape, roundShape } from "./round-record.ts"

/** Version of the stored format. Increase it when the shape changes: the bot skips others. */
export const JOB_VERSION = 3

const pullStates = ["draft", "open", "approved", "changes_requested", "merged", "closed"] as const
export type PullState = (typeof pullStates)[number]

const placeShape = z.object({
  /** Position in the queue; 1 starts next. */
  place: z.number(),
  /** Expected start or, while the queue is paused, its next attempt; absent if unknown. */
  startsAt: z.number().optional(),
  /** Why nothing starts now; "" if the queue is not paused, or for a reason of another version. */
  paused: z.enum(["", ...pauseReasons]).catch(""),
  /** Use of the month that holds it back. */
  month: z.object({ used: z.number(), most: z.number() }).optional(),
})
export type QueuePlace = z.infer<typeof placeShape>

const pullShape = z.object({
  owner: z.string(),
  repo: z.string(),
  number: z.number(),
  since: z.number(),
  state: z.enum(pullStates).optional(),
  /** GitHub login of who merged it, last requested changes and still does, or else approved it last. */
  by: z.string().optional(),
  title: z.string().optional(),
  touchedAt: z.number().optional(),
  /** Size of its changes at the head commit `of`. */
  size: z
    .object({
      of: z.string(),
      files: z.number(),
      added: z.number(),
      removed: z.number(),
      names: z.array(z.string()),
      /** Changed lines of a small change by file, each with its sign: see `pulls/changed-files.ts`. */
      changes: z.array(z.object({ path: z.string(), lines: z.array(z.string()) })).optional(),
    })
    .optional(),
  /** Etags of GitHub's last answers, as long as everything they said is in this record. */
  etags: z.object({ pull: z.string(), reviews: z.string().optional() }).optional(),
  failures: z.number(),
  /** Time of the last poll. If that was before `since`, the state belongs to an earlier round. */
  lookedAt: z.number().optional(),
  /**
   * Review that requested changes, announced once a round: the bot has yet to post it (`due`), has
   * posted it with *Address the review* (`posted`), or made it a follow-up (`addressed`).
   */
  review: z
    .object({
      id: z.string(),
      state: z.enum(["due", "posted", "addressed"]),
      round: z.string(),
    })
    .optional(),
  /** First words of the review that requested changes. */
  words: z.string().optional(),
  /** Posts about reviews that still have *Address the review*, with what they say. */
  reviewPosts: z
    .array(
      z.object({
        ts: z.string(),
        users: z.array(z.string()),
        by: z.string().optional(),
        words: z.string().optional(),
      }),
    )
    .optional(),
  /** End of the pull request that people were told of; a closed one may still be merged. */
  endTold: z.enum(["merged", "closed"]).optional(),
  /** Reviews that became follow-ups, by their ids; quoted again only if the request was withdrawn. */
  addressed: z.array(z.object({ review: z.string(), ask: z.string() })).optional(),
  remindedAt: z.number().optional(),
})
export type Pull = z.infer<typeof pullShape>
export type PullRef = Pick<Pull, "owner" | "repo" | "number">

/**
 * Record of a job: a conversation about one pull request, as a list of rounds. All times are in ms
 * by Redis's clock.
 */
const jobShape = z.object({
  v: z.literal(String(JOB_VERSION)),
  id: z.string(),
  /** Number of changes so far. A change is written only if it was based on this `rev`. */
  rev: numberField,
  /**
   * State of the last round, beside it because `store/grant-slot.ts` sets it: queued → creating →
   * active → ended, and from each of the first three straight to ended. Earlier rounds have ended.
   */
  state: z.enum(["queued", "creating", "active", "ended"]),
  project: z.string(),
  channel: z.string(),
  /** Thread with the request; absent for a request in the channel itself. */
  thread: z.string().optional(),
  /** Slack ID of the person who asked first. */
  user: z.string(),
  at: numberField,
  /** Rounds, oldest first; the last one is the current one. See `rounds.ts`. */
  rounds: jsonField(z.array(roundShape).min(1)),
  /** Follow-ups that wait for the current round to end, in the order asked: the next round's. */
  waiting: jsonField(z.array(askShape)).default([]),

  /** Person whose turn the round uses: see `store/fair-order.ts`. */
  turnOf: z.string(),
  /** Position in the fair order (see `store/fair-order.ts`); lower starts first. */
  tag: numberField.default(0),
  /**
   * Set while Redis may be older than Slack: what waits starts only once its card shows that it still
   * does (`open`), or is told of as unclear (`stale`). See `following/compare-card.ts`.
   */
  doubt: z.enum(["open", "stale"]).optional(),
  /** Time from which the round may start; absent while the bot has to prepare something first. */
  mayStartAt: numberField.optional(),
  /** Token of the grant, which lets one process send the round and report its outcome. */
  grant: z.string().optional(),

  agentJobId: z.string().optional(),
  prLink: z.string().optional(),
  pull: jsonField(pullShape).optional(),
  /** Job that this one continues, for example because its pull request is over. */
  continuesJob: z.string().optional(),

  card: z.string().optional(),
  /** Time of the card's post, from which people can take the request back. */
  cardAt: numberField.optional(),
  /** Hash of the card as the bot posted or edited it last. */
  cardHash: z.string().optional(),
  /** Place in the queue that the card shows: see `limit/queue-positions.ts`. */
  place: jsonField(placeShape).optional(),
  /** People told in a direct message how a round ended, because the thread accepts no replies. */
  direct: jsonField(z.object({ part: z.string(), users: z.array(z.string()) })).optional(),
  /** Message that the bot began to post; while this is set, the outcome of the post is unknown. */
  posting: z.string().optional(),
  /** Number of attempts in a row that ended in an unexpected error or a failed look-up. */
  failures: numberField.default(0),
  muted: jsonField(z.array(z.string())).default([]),
  /** Set if somebody acted on the job and waits for the effect: such cards are edited first. */
  isAwaited: flagField.optional(),
})

export type Job = z.infer<typeof jobShape>

/** Parses a job's record. @throws RecordError naming the invalid field */
export function toJob(id: string, hash: Readonly<Record<string, string>>): Job {
  return parseRecord(jobShape, `job ${id}`, { ...hash, id })
}

export function threadOf({ thread, card }: Pick<Job, "thread" | "card">): string | undefined {
  return thread ?? card
}

/** Returns whether the pull request is finished; a closed one may still be reopened. */
export function isOver(state: PullState | undefined): state is "merged" | "closed" {
  return state === "merged" || state === "closed"
}

/** Returns whether the pull request waits for people; a draft still waits for its author. */
export function awaitsPeople({ state }: Pick<Pull, "state">): boolean {
  return state === "open" || state === "approved" || state === "changes_requested"
}

/** Number of waiting pull requests from which a new card says that many wait. */
export const MANY_WAIT = 5

/** Returns whether GitHub has told the state since the latest round. */
export function isSeen(pull: Pull | undefined): pull is Pull & { state: PullState } {
  return pull?.state !== undefined && (pull.lookedAt ?? -1) >= pull.since
}

/** Leaves out ended jobs whose pull request another one that runs or is newer has, too. */
export function oncePerPull<Found extends { job: Job }>(found: readonly Found[]): Found[] {
  return found.filter(({ job }) => {
    if (job.state !== "ended" || job.prLink === undefined) return true
    const others = found.filter((one) => one.job.prLink === job.prLink)
    return !others.some(({ job: other }) => other.state !== "ended" || other.at > job.at)
  })
}

/** Returns the time in ms of the last activity: at GitHub, or the end of the latest round. */
export function touchedAt(pull: Pull | undefined): number {
  return Math.max(pull?.since ?? 0, pull?.touchedAt ?? 0)
}

export function linkToCard(
  { permalink }: Pick<SlackState, "permalink">,
  { channel, card, thread }: Job,
): string | undefined {
  return card === undefined ? undefined : permalink(channel, card, thread)
}

/** Alphabet of ids, in which no two characters are easily confused. */
const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
const ID_LENGTH = 10

/** Makes one of about 6 × 10^14 ids, ten characters that are easy to read out and to type. */
export function newId(): string {
  return idOf(randomBytes(ID_LENGTH))
}

function idOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("")
}

/** Derives the id of a request or its draft from the delivery, so that a repeat gets the same. */
export function askId(delivery: string): string {
  return idOf(createHash("sha256").update(delivery).digest().subarray(0, ID_LENGTH))
}

/** Names the confirmation of a draft, which counts as a delivery of its own. */
export function confirmationOf(draft: string): string {
  return `draft:${draft}`
}
