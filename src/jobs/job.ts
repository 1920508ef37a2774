import { z } from "zod"
import { pauseReasons } from "../limit/pauses.ts"
import { flagField, jsonField, numberField, parseRecord } from "../store/record-fields.ts"

/** Version of the stored format. Increase it when the shape changes: the bot skips others. */
export const JOB_VERSION = 2

/**
 * Reasons why a round of a job ended; each has its own message in `messages/endings.ts`.
 * - `lost`: the service had reported no end when `JOB_TIMEOUT_MINUTES` had passed
 * - `gone`: the service answered 404 twice, at a `DOCS_JOB_PATH` that has found jobs
 * - `unknown`: the bot may have sent the creation, so it does not repeat it
 * - `refused`: the service refused the creation for good (a 400, say, or a 403 to this one alone)
 * - `no_card`: the bot could not post the card, so the service started no job
 * - `not_allowed`: the requester may not ask and was told so privately; the service started no job
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
] as const
export type Ending = (typeof endings)[number]

const pullStates = ["draft", "open", "approved", "changes_requested", "merged", "closed"] as const
export type PullState = (typeof pullStates)[number]

/**
 * Reasons why the agent was not sent all words; the card says which.
 * - `unread`: the bot could not read the earlier messages
 * - `outsiders`: some were by guests or people of other organizations
 */
const notes = ["unread", "outsiders"] as const

const optional = <S extends z.ZodType>(shape: S) => z.exactOptional(shape)

/** One person's request within a job. Its text is stored beside the record. */
const askShape = z.object({
  /** Opaque id, which the request's *Cancel* button carries. */
  id: z.string(),
  user: z.string(),
  at: z.number(),
  round: z.number(),
  /** Timestamp of the request's message, if any; the next follow-up reads the thread from there. */
  ts: optional(z.string()),
  kind: z.enum(["request", "review"]),
  /** Set once the bot has looked up the person and read what the request refers to. */
  isPrepared: optional(z.literal(true)),
  /** Set if the person asked to be forgotten; the bot keeps no text of the request. */
  isForgotten: optional(z.literal(true)),
})
export type Ask = z.infer<typeof askShape>

const placeShape = z.object({
  /** Position in the queue; 1 starts next. */
  place: z.number(),
  /** Expected start or, while the queue is paused, its next attempt; absent if unknown. */
  startsAt: optional(z.number()),
  /** Why nothing starts now; "" if the queue is not paused, or for a reason of another version. */
  paused: z.enum(["", ...pauseReasons]).catch(""),
})
export type QueuePlace = z.infer<typeof placeShape>

const resultShape = z.object({
  /** Timestamp; absent if the bot told people privately, told nobody, or gave up. */
  ts: optional(z.string()),
  round: z.number(),
  users: z.array(z.string()),
  hash: z.string(),
  /** Set if the pull request was over by then, which the reply's words go on saying. */
  wasOver: optional(z.literal(true)),
})

const pullShape = z.object({
  owner: z.string(),
  repo: z.string(),
  number: z.number(),
  since: z.number(),
  state: optional(z.enum(pullStates)),
  /** GitHub login of the person who merged it, or who last requested changes and still does. */
  by: optional(z.string()),
  title: optional(z.string()),
  touchedAt: optional(z.number()),
  /** Size of its changes at the head commit `of`. */
  size: optional(
    z.object({
      of: z.string(),
      files: z.number(),
      added: z.number(),
      removed: z.number(),
      names: z.array(z.string()),
    }),
  ),
  /** Etags of GitHub's last answers, as long as everything they said is in this record. */
  etags: optional(z.object({ pull: z.string(), reviews: optional(z.string()) })),
  failures: z.number(),
  /** Time of the last poll. If that was before `since`, the state belongs to an earlier round. */
  lookedAt: optional(z.number()),
  /**
   * Review that requested changes, announced once a round: the bot has yet to post it (`due`), has
   * posted it with *Address the review* (`posted`), or made it a follow-up (`addressed`).
   */
  review: optional(
    z.object({
      id: z.string(),
      state: z.enum(["due", "posted", "addressed"]),
      round: z.number(),
    }),
  ),
  /** Reviews that became follow-ups, by their ids; quoted again only if the request was withdrawn. */
  addressed: optional(z.array(z.object({ review: z.string(), ask: z.string() }))),
  remindedAt: optional(z.number()),
})
export type Pull = z.infer<typeof pullShape>

/** Time at which a later round was asked for, and by whom if it was with *Run again*. */
const originShape = z.object({ at: z.number(), retryBy: optional(z.string()) })

/**
 * Record of a job: a request, its follow-ups and what became of them. queued → creating → active →
 * ended, and from each of the first three straight to ended. A round is one attempt: one creation,
 * or one message to the service's job. A retry, or follow-ups to a sent round, begin the next
 * round. All times are in ms by Redis's clock.
 */
const jobShape = z.object({
  v: z.literal(String(JOB_VERSION)),
  id: z.string(),
  /** Number of changes so far. A change is written only if it was based on this `rev`. */
  rev: numberField,
  state: z.enum(["queued", "creating", "active", "ended"]),
  project: z.string(),
  channel: z.string(),
  /** Thread with the request; absent for a request in the channel itself. */
  thread: optional(z.string()),
  /** Slack ID of the person whose request is the first in `asks`. */
  user: z.string(),
  at: numberField,
  asks: jsonField(z.array(askShape)),
  round: numberField,

  /** Person whose turn the round uses: see `store/fair-order.ts`. */
  turnOf: z.string(),
  /** Position in the fair order (see `store/fair-order.ts`); lower starts first. */
  tag: numberField.default(0),
  /** Time from which the round may start; absent while the bot has to prepare something first. */
  mayStartAt: optional(numberField),
  /** Token of the grant, which lets one process send the creation and report its outcome. */
  grant: optional(z.string()),

  agentJobId: optional(z.string()),
  /** Job at the service to which the round goes as a message; absent if the round is a creation. */
  follows: optional(z.string()),
  startedAt: optional(numberField),
  /** Set if the service reported that its job is active again after the message. */
  isReactivated: optional(flagField),
  prLink: optional(z.string()),
  /** Number of 404 answers since the service last returned the job. */
  misses: numberField.default(0),
  /** Set while the bot polls an ended job again, for *Look for a pull request*. */
  isLookedFor: optional(flagField),

  ending: optional(z.enum(endings)),
  endedAt: optional(numberField),
  /** Refusal in the words of the service or Slack, short and masked. */
  detail: optional(z.string()),
  /** Beginning of the round, which the card names; absent in the first round. */
  origin: optional(jsonField(originShape)),
  /** Facts of the round before, to which the job returns if this one is withdrawn unsent. */
  lastRound: optional(
    jsonField(
      z.object({
        ending: z.enum(endings),
        follows: optional(z.string()),
        note: optional(z.enum(notes)),
        origin: optional(originShape),
      }),
    ),
  ),
  /** Job that this one continues, for example because its pull request is over. */
  continuesJob: optional(z.string()),

  note: optional(z.enum(notes)),
  card: optional(z.string()),
  /** Time of the card's post, from which people can take the request back. */
  cardAt: optional(numberField),
  /** Hash of the card as the bot posted or edited it last. */
  cardHash: optional(z.string()),
  /** Place in the queue that the card shows: see `limit/place-pass.ts`. */
  place: optional(jsonField(placeShape)),
  /** Closing reply of a round, and whom it mentions. */
  result: optional(jsonField(resultShape)),
  /** People told in a direct message how a round ended, because the thread accepts no replies. */
  direct: optional(jsonField(z.object({ part: z.string(), users: z.array(z.string()) }))),
  /** Message that the bot began to post; while this is set, the outcome of the post is unknown. */
  posting: optional(z.string()),
  /** Number of attempts in a row that ended in an unexpected error or a failed look-up. */
  failures: numberField.default(0),
  muted: jsonField(z.array(z.string())).default([]),
  /** Set if somebody acted on the job and waits for the effect: such cards are edited first. */
  isAwaited: optional(flagField),

  pull: optional(jsonField(pullShape)),
})

export type Job = z.infer<typeof jobShape>
export type EndedJob = Job & { state: "ended"; ending: Ending }

/** Parses a job's record. @throws RecordError naming the invalid field */
export function toJob(id: string, hash: Readonly<Record<string, string>>): Job {
  return parseRecord(jobShape, `job ${id}`, { ...hash, id })
}

export function isEnded(job: Job): job is EndedJob {
  return job.state === "ended" && job.ending !== undefined
}

export function threadOf({ thread, card }: Pick<Job, "thread" | "card">): string | undefined {
  return thread ?? card
}

/** Returns whether the pull request is finished; a closed one may still be reopened. */
export function isOver(state: PullState | undefined): state is "merged" | "closed" {
  return state === "merged" || state === "closed"
}

/** Returns the time in ms of the last activity: at GitHub, or the end of the latest round. */
export function touchedAt(pull: Pull | undefined): number {
  return Math.max(pull?.since ?? 0, pull?.touchedAt ?? 0)
}

/** Returns whether the round changes a pull request that an earlier round opened. */
export function isUpdate({ follows }: Pick<Job, "follows">): boolean {
  return follows !== undefined
}
