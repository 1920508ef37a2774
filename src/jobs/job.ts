import { z } from "zod"
import { flagField, jsonField, numberField, parseRecord } from "../store/record.ts"

/** Grows when a stored job changes shape. Records of another version are skipped and named. */
export const JOB_VERSION = 2

/**
 * Reasons why a round of a job ended. Each reads differently to people; see `messages/endings.ts`.
 * - `lost`: still active at the service when `JOB_TIMEOUT_MINUTES` had passed
 * - `gone`: the service said 404 twice
 * - `unknown`: the creation was sent and its outcome never learned: it is not repeated by itself
 * - `refused`: the service refused the creation for good (a 400, say, or a 403 to this one alone)
 * - `no_card`: the bot may not post where it was asked: no job was spent
 * - `not_allowed`: who asked may not: told privately, no job was spent
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

/** Stages of a pull request, as far as the bot shows them. */
const pullStates = ["draft", "open", "approved", "changes_requested", "merged", "closed"] as const
export type PullState = (typeof pullStates)[number]

/** `sending` is written before the request is sent, so a preview found in it later has an unknown outcome. */
const previewStates = ["asked", "sending", "building", "ready", "failed", "unknown"] as const

const optional = <S extends z.ZodType>(shape: S) => z.exactOptional(shape)

/** One request of a person within a job: its words are in the text beside the record. */
const askShape = z.object({
  /** Opaque, for its *Cancel*. */
  id: z.string(),
  user: z.string(),
  /** The time it was asked, ms. */
  at: z.number(),
  /** The round that it is, or will be, sent in. */
  round: z.number(),
  /** Timestamp of the message that asked, where one did: the next follow-up reads on from there. */
  ts: optional(z.string()),
  kind: z.enum(["request", "review"]),
  /** The person and the thread it refers to were looked up. */
  isPrepared: optional(z.literal(true)),
})
export type Ask = z.infer<typeof askShape>

const placeShape = z.object({
  /** 1 starts next. */
  place: z.number(),
  /** Earliest start, ms; may move when others ask. Absent while a pause has no end. */
  startsAt: optional(z.number()),
  /** The start may be on another day in the reader's time zone. */
  isFar: optional(z.literal(true)),
  /** The hour has room: it starts as soon as those before it have started. */
  soon: z.boolean(),
  /** The reason that nothing is started at the moment, a `WaitReason`; "" when nothing holds it up. */
  paused: z.string(),
  /** The time the service is asked again after a pause, ms; absent if unknown. */
  triedAt: optional(z.number()),
})
/** The place of a waiting job. */
export type QueuePlace = z.infer<typeof placeShape>

const resultShape = z.object({
  ts: z.string(),
  round: z.number(),
  users: z.array(z.string()),
  /** Print of what it shows. */
  print: z.string(),
})

const previewShape = z.object({
  state: z.enum(previewStates),
  /** The user who clicked. */
  by: z.string(),
  /** When, ms. */
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
  /** The time from which it is followed for the latest round, ms. */
  since: z.number(),
  state: optional(z.enum(pullStates)),
  /** Login of who merged it. */
  by: optional(z.string()),
  title: optional(z.string()),
  /** The time of the last activity on it, ms. */
  touchedAt: optional(z.number()),
  /** The size of its change, as of the head commit `of`. */
  size: optional(
    z.object({
      of: z.string(),
      files: z.number(),
      added: z.number(),
      removed: z.number(),
      names: z.array(z.string()),
    }),
  ),
  /** Tries in a row without an answer. */
  failures: z.number(),
  /** The time its state was last read, ms: before `since` it is what an earlier round led to. */
  lookedAt: optional(z.number()),
  /**
   * The review that requested changes, once a round: `due` is to be posted, `posted` offers *Address the
   * review*, `addressed` was taken up.
   */
  review: optional(
    z.object({
      id: z.string(),
      by: optional(z.string()),
      state: z.enum(["due", "posted", "addressed"]),
      round: z.number(),
    }),
  ),
  /** The newest review that was taken up: what came with it, or before, is not quoted again. */
  addressed: optional(z.string()),
  /** The time its requester was last reminded of it, ms. */
  remindedAt: optional(z.number()),
})
/** The pull request of a job, where it is followed. */
export type Pull = z.infer<typeof pullShape>

/**
 * A request to the docs agent, from the moment it is durable to the last word about its pull request.
 * queued → creating → active → ended, and from each of the first three straight to ended. A round is one
 * creation, or one message to the service's job: follow-ups and retries begin another.
 */
const jobShape = z.object({
  v: z.literal(String(JOB_VERSION)),
  id: z.string(),
  /** Grows with every change; a change is written only on the `rev` that it was decided on. */
  rev: numberField,
  state: z.enum(["queued", "creating", "active", "ended"]),
  /** Key of the project: see `config/projects.ts`. */
  project: z.string(),
  team: z.string(),
  channel: z.string(),
  /** The thread it was asked in; absent when it was asked in the channel itself. */
  thread: optional(z.string()),
  /** The Slack ID of the person who asked first. */
  user: z.string(),
  /** The time it was accepted, ms. */
  at: numberField,
  asks: jsonField(z.array(askShape)),
  round: numberField,

  /** The person whose turn in the fair queue the round uses. */
  turnOf: z.string(),
  /** Place in the fair order; lower starts first. */
  tag: numberField.default(0),
  /** The round may start from this moment on, ms; absent while something has to be done first. */
  from: optional(numberField),
  /** The token that settles the creation in hand. */
  grant: optional(z.string()),

  /** The service's id, once created. */
  agentJobId: optional(z.string()),
  /** The round is a message to this job of the service, instead of a creation. */
  follows: optional(z.string()),
  /** The time the round was created or sent, ms. */
  startedAt: optional(numberField),
  /** The service said that its job is active again after the message. */
  isReactivated: optional(flagField),
  prLink: optional(z.string()),
  /** The branch that the agent works on, where the service said it. */
  branch: optional(z.string()),
  /** Consecutive 404 answers. */
  misses: numberField.default(0),

  ending: optional(z.enum(endings)),
  endedAt: optional(numberField),
  /** The refusal in the words of the service or Slack, shortened and free of secrets. */
  detail: optional(z.string()),
  /** The ending of the round before: a round that is cancelled before it was sent goes back to it. */
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
  /** Follow-ups and retries that were sent, newest last: lines of the card's history. */
  history: jsonField(
    z.array(
      z.object({
        kind: z.enum(["follow_up", "retry", "review"]),
        user: z.string(),
        at: z.number(),
      }),
    ),
  ).default([]),
  /** The job that this one carries on, whose pull request is over. */
  previous: optional(z.string()),

  /** A line for the card about how it was asked, such as that earlier messages could not be read. */
  note: optional(z.string()),
  /** Set if another organization can read its channel. */
  isShared: optional(flagField),
  card: optional(z.string()),
  /** Print of what the card shows, and for a waiting job the place it shows. */
  shown: optional(z.string()),
  place: optional(jsonField(placeShape)),
  /** The closing reply of a round and whom it mentions; its `ts` is `ELSEWHERE` where it was told in private. */
  result: optional(jsonField(resultShape)),
  /** A post that was begun: its outcome is not known until this is gone. */
  posting: optional(z.string()),
  /** Attempts in a row that ended in an unexpected error. */
  failures: numberField.default(0),
  /** People for whom nothing is posted. */
  muted: jsonField(z.array(z.string())).default([]),
  /** Somebody has just done something about it and waits to see it: its card is written first. */
  isAnswer: optional(flagField),

  pull: optional(jsonField(pullShape)),
  preview: optional(jsonField(previewShape)),
  /** Its requester asked to be forgotten: nothing is kept of what it says. */
  isForgotten: optional(flagField),
})

export type Job = z.infer<typeof jobShape>
export type EndedJob = Job & { state: "ended"; ending: Ending }

/** Stored instead of a reply's timestamp where it was told in private. */
export const ELSEWHERE = "elsewhere"

/** @throws RecordError naming the field at fault */
export function toJob(id: string, hash: Readonly<Record<string, string>>): Job {
  return parseRecord(jobShape, `job ${id}`, { ...hash, id })
}

export function isEnded(job: Job): job is EndedJob {
  return job.state === "ended" && job.ending !== undefined
}

/** The root of the job's thread, once there is one. */
export function threadOf({ thread, card }: Pick<Job, "thread" | "card">): string | undefined {
  return thread ?? card
}

/** Tells whether the pull request is finished. Only a closed one that is reopened changes again. */
export function isOver(state: PullState | undefined): state is "merged" | "closed" {
  return state === "merged" || state === "closed"
}

/** Tells whether it waited for people at the last look. A draft is its author's. */
export function isOpen({ state = "draft" }: Pick<Pull, "state">): boolean {
  return state === "open" || state === "approved" || state === "changes_requested"
}

/** Tells whether it waits or runs, or its pull request was open at the last look. */
export function isUnderWay({ state, prLink, pull }: Job): boolean {
  return state !== "ended" || (prLink !== undefined && !isOver(pull?.state))
}

/** Requests that the present round sends, or has sent. */
export function currentAsks({ asks, round }: Pick<Job, "asks" | "round">): Ask[] {
  return asks.filter((ask) => ask.round === round)
}

/** Follow-ups that wait for the end of the present round. */
export function waitingAsks({ asks, round }: Pick<Job, "asks" | "round">): Ask[] {
  return asks.filter((ask) => ask.round > round)
}

/** Tells whether an earlier round ended with the pull request that the job still has. */
export function isUpdate({ follows, before, ending }: Job): boolean {
  return follows !== undefined && (before?.ending ?? ending) === "pull_request"
}
