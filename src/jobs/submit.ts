import type { Op } from "../store/commit.ts"
import { enqueue } from "../store/enqueue.ts"
import { toHash } from "../store/record.ts"
import { askedNote } from "./audit.ts"
import type { JobsDeps } from "./deps.ts"
import { askId, newId, printOfRequest } from "./ids.ts"
import { type Ask, JOB_VERSION, type Job } from "./job.ts"
import { BUSY, jobKeys, lineOf } from "./keys.ts"
import { fromWords, type Prompt } from "./prompt.ts"
import { queuesOf } from "./queues.ts"
import {
  FOLLOWED_MS,
  followedUp,
  MOST_LISTED,
  MOST_WAITING,
  movedOut,
  TAKEN_BACK,
} from "./transitions.ts"

/** Slack's delayed events come up to 24 h late, so a delivery is remembered for longer than that, ms. */
const SEEN_MS = 25 * 3_600_000
/** The product's rule: the same prompt within 15 minutes is asked about first. */
const SAME_MS = 15 * 60_000
/** The time for which Slack honors the address that a command is answered at, ms. */
const REPLY_MS = 30 * 60_000

/** A request as a Slack entry hands it in. */
export interface NewRequest {
  project: string
  team: string
  channel: string
  user: string
  /** The thread it was asked in. */
  thread?: string | undefined
  /** Timestamp of the message that asked. */
  ts?: string | undefined
  kind?: Ask["kind"]
  prompt: Prompt
  /** Identifies what Slack sent: the same command, message or form never spends twice. */
  delivery: string
  /** Slack's name for it, where `delivery` is another: for the log. */
  via?: string | undefined
  /** The address for a private answer if the card cannot be posted. */
  replyUrl?: string | undefined
  /** The person was asked about the earlier identical request and wants this one anyway. */
  anyway?: boolean | undefined
  /** The job whose pull request it carries on, where that takes no messages any more. */
  previous?: string | undefined
  note?: string | undefined
}

export type Submitted =
  | { outcome: "queued"; id: string; isFollowUp: boolean }
  /** Asked a moment ago: the person may want it anyway. */
  | { outcome: "same"; id: string }
  /** The person has too much waiting. */
  | { outcome: "full"; of: "waiting" | "follow_ups"; waiting: number }
  /** Redis is nearly full. */
  | { outcome: "no_room" }

/** Dependencies of whatever accepts requests. */
export interface SubmitDeps
  extends Pick<JobsDeps, "store" | "jobs" | "projectKeys" | "delayMs" | "timing" | "auditDays"> {
  limits: { maxQueuedPerUser: number }
  hasMessages: JobsDeps["hasMessages"]
  now: JobsDeps["now"]
  events: Pick<JobsDeps["events"], "asked">
}

/**
 * Accepts a request: once per delivery, durable when it resolves. In a thread that has a job of the same
 * project it joins that job, or carries on where its pull request is over.
 */
export async function submit(deps: SubmitDeps, request: NewRequest): Promise<Submitted> {
  const answer = (await followUp(deps, request)) ?? (await begin(deps, request))
  deps.events.asked(request, answer)
  return answer
}

/** Returns undefined if the thread has no job that it could belong to. */
async function followUp(deps: SubmitDeps, request: NewRequest): Promise<Submitted | undefined> {
  const { jobs, store } = deps
  if (request.thread === undefined || request.previous !== undefined) return undefined
  const known = await store.redis.get(jobKeys.seen(request.delivery))
  if (known !== null) return { outcome: "queued", id: known, isFollowUp: true }
  const threads = await jobs.inThread(request.channel, request.thread)
  const latest = threads.find(({ job }) => job.project === request.project)?.job
  if (!latest) return undefined
  const same = request.anyway ? null : await store.redis.get(jobKeys.same(printOf(request)))
  if (same !== null && isSpent((await jobs.find(same))?.job)) return { outcome: "same", id: same }
  const joined = await join(deps, latest, request)
  return joined === "new_job" ? begin(deps, { ...request, previous: latest.id }) : joined
}

/** Tells whether it was or will be sent: a cancelled request may be asked again. */
function isSpent(job: Job | undefined): boolean {
  return job !== undefined && !(job.ending && TAKEN_BACK.has(job.ending))
}

/** Adds the request to a job of its thread. */
async function join(
  deps: SubmitDeps,
  { id, project }: Job,
  request: NewRequest,
): Promise<Submitted | "new_job"> {
  const { jobs, delayMs } = deps
  const ask = askOf(request, await deps.now())
  const hasMessages = await deps.hasMessages(project)
  const ops = [
    put(jobKeys.seen(request.delivery), id, SEEN_MS),
    put(jobKeys.same(printOf(request)), id, SAME_MS),
    ...listed(request, id, ask.at),
    ...askedNote(
      deps.auditDays,
      { id, project, channel: request.channel },
      { user: request.user, words: request.prompt.words, at: ask.at },
    ),
  ]
  const changed = await jobs.change<"new_job" | "full" | "known">(id, ({ job, now }) => {
    if (job.asks.some((one) => one.id === ask.id)) return "known"
    const change = followedUp(job, { ask, hasMessages, delayMs, now })
    return typeof change === "string"
      ? change
      : { ...change, words: { [ask.id]: request.prompt }, ops }
  })
  if (changed === undefined || changed === "new_job") return "new_job"
  if (changed === "full") return { outcome: "full", of: "follow_ups", waiting: MOST_WAITING }
  return { outcome: "queued", id, isFollowUp: true }
}

/** Makes a new job durable. */
async function begin(deps: SubmitDeps, request: NewRequest): Promise<Submitted> {
  const entered = await enter(deps, request)
  if (entered.outcome === "full") return { ...entered, of: "waiting" }
  if (entered.outcome === "no_room") return entered
  if (entered.outcome !== "same") return { outcome: "queued", id: entered.id, isFollowUp: false }
  if (isSpent((await deps.jobs.find(entered.id))?.job)) return { outcome: "same", id: entered.id }
  return begin(deps, { ...request, anyway: true })
}

async function enter(deps: SubmitDeps, request: NewRequest) {
  const { project, team, channel, user, thread, previous, note, prompt, replyUrl } = request
  const id = newId()
  const at = await deps.now()
  const ask = askOf(request, at)
  const fields: { [Name in keyof Job]?: Job[Name] | undefined } = {
    v: String(JOB_VERSION) as Job["v"],
    id,
    state: "queued",
    project,
    team,
    channel,
    thread,
    user,
    asks: [ask],
    round: 1,
    turnOf: user,
    previous,
    note,
  }
  const line = lineOf(project, user)
  const waiting = await deps.store.redis.zcard(line.waiting)
  // One person's cards come apart, so that nobody's bulk keeps the cards of others.
  const [apartMs] = deps.timing.rates.channelPost
  return enqueue(deps.store, {
    id,
    record: jobKeys.record(id),
    text: jobKeys.words(id),
    seen: jobKeys.seen(request.delivery),
    same: jobKeys.same(printOf(request)),
    anyway: request.anyway ?? false,
    seenMs: SEEN_MS,
    sameMs: SAME_MS,
    set: toHash(fields),
    words: fromWords({ [ask.id]: prompt }),
    most: deps.limits.maxQueuedPerUser,
    waiting: queuesOf(deps.projectKeys).map((queue) => lineOf(queue, user).waiting),
    ops: [
      { do: "line", member: id, user, ...line },
      { do: "add", key: BUSY, member: project },
      { do: "due", key: jobKeys.schedule("outbox"), member: id, inMs: waiting * apartMs },
      ...listed(request, id, at),
      ...(replyUrl === undefined ? [] : [put(jobKeys.reply(id), replyUrl, REPLY_MS)]),
      ...askedNote(deps.auditDays, { id, project, channel }, { user, words: prompt.words, at }),
    ],
  })
}

/** It shows in its person's list, and a thread leads to it, as does the gap that it is about. */
function listed(request: NewRequest, id: string, at: number): Op[] {
  const { project, user, channel, thread, prompt } = request
  const inThread = thread === undefined ? [] : [jobKeys.inThread(channel, thread)]
  const list = {
    do: "list",
    member: id,
    score: at,
    most: MOST_LISTED,
    keepMs: FOLLOWED_MS,
  } as const
  const lists = [jobKeys.ofUser(user), ...inThread].map((key) => ({ ...list, key }))
  if (prompt.about === undefined) return lists
  return [...lists, put(jobKeys.about(project, prompt.about), id, FOLLOWED_MS)]
}

function put(key: string, value: string, keepMs: number): Op {
  return { do: "put", key, value, keepMs }
}

function askOf({ user, ts, delivery, kind = "request" }: NewRequest, at: number): Ask {
  return { id: askId(delivery), user, at, round: 1, kind, ...(ts === undefined ? {} : { ts }) }
}

function printOf({ project, user, prompt }: NewRequest): string {
  return printOfRequest(project, user, prompt.words, prompt.files)
}

/**
 * Gives requests of a job a job of their own: where its pull request is over, where the deployment
 * takes no messages, or where their person wants that. Entered first, so that a crash in between leaves
 * them in both for a moment, and the same delivery enters only once.
 */
export async function moveOut(
  deps: SubmitDeps,
  id: string,
  asks: readonly Ask[],
  why: { previous: boolean; note?: string | undefined },
): Promise<void> {
  const found = await deps.jobs.find(id)
  const [first] = asks
  if (!found || !first) return
  const { job, words } = found
  const own = asks.flatMap((ask) => words[ask.id] ?? [])
  const prompt = own.length === 1 ? own[0] : together(own)
  if (!prompt) return
  const thread = job.thread ?? job.card
  await begin(deps, {
    project: job.project,
    team: job.team,
    channel: job.channel,
    user: first.user,
    thread,
    ts: first.ts,
    kind: first.kind,
    prompt,
    delivery: `out:${id}:${asks.map((ask) => ask.id).join(",")}`,
    anyway: true,
    ...(why.previous ? { previous: id } : {}),
    note: why.note,
  })
  const gone = asks.map((ask) => ask.id)
  await deps.jobs.change(id, ({ job: is }) => movedOut(is, gone))
}

/** Several requests as one, each labelled with its speaker. */
function together(prompts: readonly Prompt[]): Prompt | undefined {
  const [first] = prompts
  if (!first) return undefined
  const context = prompts.flatMap((prompt) => prompt.context ?? []).join("\n\n")
  return {
    words: prompts
      .map(({ speaker, words }) => (speaker ? `${speaker}: ${words}` : words))
      .join("\n\n"),
    ...(context ? { context } : {}),
  }
}
