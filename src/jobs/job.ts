import { z } from "zod"
import { flagField, jsonField, numberField, parseRecord } from "../store/record.ts"

/** Increase this when the shape of a stored job changes: the bot skips records of another version. */
export const JOB_VERSION = 2

/**
 * Reasons why a round of a job ended; each has its own message in `messages/endings.ts`.
 * - `lost`: still active at the service when `JOB_TIMEOUT_MINUTES` had passed
 * - `gone`: the service said 404 twice
 * - `unknown`: the bot may have sent the creation and never learned its outcome, so it does not repeat it
 * - `refused`: the service refused the creation for good (a 400, say, or a 403 to this one alone)
 * - `no_card`: the bot may not post where they asked; the service started no job
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

/** The bot writes `sending` before it sends the request; after a crash in between the outcome is unknown. */
const previewStates = ["asked", "sending", "building", "ready", "failed", "unknown"] as const

const optional = <S extends z.ZodType>(shape: S) => z.exactOptional(shape)

/** One person's request within a job. Its text is stored beside the record. */
const askShape = z.object({
  /** Opaque id, which the request's *Cancel* button carries. */
  id: z.string(),
  user: z.string(),
  at: z.number(),
  round: z.number(),
  /** Timestamp of the message with the request, if it came as one; the next follow-up reads the thread from it on. */
  ts: optional(z.string()),
  kind: z.enum(["request", "review"]),
  /** Set once the bot has looked up the person and read what the request refers to. */
  isPrepared: optional(z.literal(true)),
})
export type Ask = z.infer<typeof askShape>

const placeShape = z.object({
  /** The position in the queue; 1 starts next. */
  place: z.number(),
  /** Earliest start; may move when others ask. Absent while a pause has no end. */
  startsAt: optional(z.number()),
  /** The `WaitReason` why nothing starts at the moment; "" if the queue is not paused. */
  paused: z.string(),
  /** When the bot tries the service again after a pause; absent if unknown. */
  triedAt: optional(z.number()),
})
export type QueuePlace = z.infer<typeof placeShape>

const resultShape = z.object({
  ts: z.string(),
  round: z.number(),
  users: z.array(z.string()),
  hash: z.string(),
})

const previewShape = z.object({
  state: z.enum(previewStates),
  by: z.string(),
  at: z.number(),
  statusId: optional(z.string()),
  url: optional(z.string()),
  files: optional(z.object({ added: z.number(), modified: z.number(), removed: z.number() })),
  summary: optional(z.string()),
})
/** One build of a branch, from the click to its end. */
export type Preview = z.infer<typeof previewShape>

const pullShape = z.object({
  owner: z.string(),
  repo: z.string(),
  number: z.number(),
  since: z.number(),
  state: optional(z.enum(pullStates)),
  /** GitHub login of the person who merged it. */
  by: optional(z.string()),
  title: optional(z.string()),
  touchedAt: optional(z.number()),
  /** The size of its changes at the head commit `of`. */
  size: optional(
    z.object({
      of: z.string(),
      files: z.number(),
      added: z.number(),
      removed: z.number(),
      names: z.array(z.string()),
    }),
  ),
  failures: z.number(),
  /** When the bot last polled it. If that was before `since`, the state is of an earlier round. */
  lookedAt: optional(z.number()),
  /**
   * The review that requested changes, announced once a round: the bot has yet to post it (`due`),
   * has posted it with *Address the review* (`posted`), or made it a follow-up (`addressed`).
   */
  review: optional(
    z.object({
      id: z.string(),
      by: optional(z.string()),
      state: z.enum(["due", "posted", "addressed"]),
      round: z.number(),
    }),
  ),
  /** The newest review that became a follow-up; the bot does not quote it or older ones again. */
  addressed: optional(z.string()),
  remindedAt: optional(z.number()),
})
export type Pull = z.infer<typeof pullShape>

/**
 * A request to the docs agent, from the moment it is durable to the last message about its pull
 * request. queued → creating → active → ended, and from each of the first three straight to ended.
 * A round is one attempt: one creation, or one message to the service's job. Each follow-up or
 * retry begins the next round. All times are in ms by Redis's clock.
 */
const jobShape = z.object({
  v: z.literal(String(JOB_VERSION)),
  id: z.string(),
  /** Increases with every change. The store writes a change only if `rev` is still what the decision was based on. */
  rev: numberField,
  state: z.enum(["queued", "creating", "active", "ended"]),
  project: z.string(),
  channel: z.string(),
  /** The thread with the request; absent for a request in the channel itself. */
  thread: optional(z.string()),
  /** The Slack ID of the person who asked first. */
  user: z.string(),
  at: numberField,
  asks: jsonField(z.array(askShape)),
  round: numberField,

  /** The person whose turn the round uses: see `store/fair-order.ts`. */
  turnOf: z.string(),
  /** Position in the fair order (see `store/fair-order.ts`); lower starts first. */
  tag: numberField.default(0),
  /** When the round may start; absent while the bot has to prepare something first. */
  from: optional(numberField),
  /** Token of the grant, which permits one process to send the creation and to report its outcome. */
  grant: optional(z.string()),

  agentJobId: optional(z.string()),
  /** The service's job to which the round goes as a message; absent if the round is a creation. */
  follows: optional(z.string()),
  startedAt: optional(numberField),
  /** Set if the service reported that its job is active again after the message. */
  isReactivated: optional(flagField),
  prLink: optional(z.string()),
  branch: optional(z.string()),
  /** The number of 404 answers in a row. */
  misses: numberField.default(0),

  ending: optional(z.enum(endings)),
  endedAt: optional(numberField),
  /** The refusal as the service or Slack worded it, shortened and free of secrets. */
  detail: optional(z.string()),
  /** The ending of the previous round, which the job returns to if this round is cancelled before the bot sends it. */
  before: optional(
    jsonField(
      z.object({
        ending: z.enum(endings),
        endedAt: z.number(),
        detail: optional(z.string()),
        startedAt: optional(z.number()),
        follows: optional(z.string()),
      }),
    ),
  ),
  /** The follow-ups and retries sent so far, newest last; each is a line of the card's history. */
  history: jsonField(
    z.array(
      z.object({
        kind: z.enum(["follow_up", "retry", "review"]),
        user: z.string(),
        at: z.number(),
      }),
    ),
  ).default([]),
  /** The job that this one continues, because that job's pull request is over or takes no messages. */
  previous: optional(z.string()),

  /** A note for the card about the request, for example that the bot could not read earlier messages. */
  note: optional(z.string()),
  /** Set if another organization can read the channel. */
  isShared: optional(flagField),
  card: optional(z.string()),
  /** Hash of the card's current content. */
  shown: optional(z.string()),
  /** What the card says about the queue: see `limit/refresh.ts`. */
  place: optional(jsonField(placeShape)),
  /** The closing reply of a round and the people it mentions; `ts` is `ELSEWHERE` if there is no reply to edit. */
  result: optional(jsonField(resultShape)),
  /** Those whom direct messages told how a round ended, because its thread takes no reply. */
  direct: optional(jsonField(z.object({ round: z.number(), users: z.array(z.string()) }))),
  /** The message that the bot began to post; while this is set, the post's outcome is unknown. */
  posting: optional(z.string()),
  /** The number of attempts in a row that ended in an unexpected error. */
  failures: numberField.default(0),
  muted: jsonField(z.array(z.string())).default([]),
  /** Set when somebody acts on the job and waits to see that, so the bot edits this card before others. */
  isAnswer: optional(flagField),

  pull: optional(jsonField(pullShape)),
  preview: optional(jsonField(previewShape)),
  /** Set if its requester asked to be forgotten; the bot keeps no text of it. */
  isForgotten: optional(flagField),
})

export type Job = z.infer<typeof jobShape>
export type EndedJob = Job & { state: "ended"; ending: Ending }

/** Value of `detail` while the bot polls a job again, for *Look for a pull request*. */
export const LOOKING = "looking"
/** Value of `detail` of a request that an admin dropped. */
export const DROPPED = "dropped"

/** Value of `ts` without a reply to edit: the bot told people privately, had nobody to tell, or gave up. */
export const ELSEWHERE = "elsewhere"

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

/** Returns whether the pull request is finished. A closed one changes again only if somebody reopens it. */
export function isOver(state: PullState | undefined): state is "merged" | "closed" {
  return state === "merged" || state === "closed"
}

/** Returns whether the pull request waited for other people when last read. A draft waits only for its author. */
export function isOpen({ state = "draft" }: Pick<Pull, "state">): boolean {
  return state === "open" || state === "approved" || state === "changes_requested"
}

/** Returns whether the job waits or runs, or its pull request was open when last read. */
export function isUnderWay({ state, prLink, pull }: Job): boolean {
  return state !== "ended" || (prLink !== undefined && !isOver(pull?.state))
}

/** Returns when the current round was asked for. */
export function roundSince({ at, history }: Pick<Job, "at" | "history">): number {
  return history.at(-1)?.at ?? at
}

/** Returns the requests that the current round sends or has sent. */
export function currentAsks({ asks, round }: Pick<Job, "asks" | "round">): Ask[] {
  return asks.filter((ask) => ask.round === round)
}

/** Returns the follow-ups that wait for the current round to end. */
export function waitingAsks({ asks, round }: Pick<Job, "asks" | "round">): Ask[] {
  return asks.filter((ask) => ask.round > round)
}

export function isUpdate({ follows, before, ending }: Job): boolean {
  return follows !== undefined && (before?.ending ?? ending) === "pull_request"
}
