import { defined } from "../runtime/defined.ts"
import { commit, type Op, read } from "../store/commit.ts"
import { claim, hurry, settle } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"
import { type Job, threadOf, toJob } from "./job.ts"
import { BUSY, jobKeys, lineOf, queueKeys, slotOf } from "./keys.ts"
import { fromWords, toWords, type Words } from "./prompt.ts"
import { queueOf } from "./queues.ts"
import { type Change, FOLLOWED_MS, type Kind, MOST_LISTED } from "./transitions.ts"

/** A job and the text of its requests, as read at one moment of Redis's clock. */
export interface Found {
  now: number
  job: Job
  words: Words
}

export interface Held extends Found {
  kind: Kind
  lease: string
}

/** The lease in a schedule that a worker must still hold for its change to count. */
export interface Lease {
  schedule: string
  lease: string
  /** Due again in this many ms, or done; absent if the worker keeps the lease. */
  againMs?: number | "done" | ((job: Job) => number | "done")
}

export interface Changed<C extends Change = Change> {
  before: Job
  job: Job
  change: C
  now: number
}

/**
 * Decides from what is known. If it returns a verdict instead of a change, the store writes
 * nothing. `words` holds new text of requests; `ops` lists what else the store writes with the
 * change.
 */
type Decide<Verdict> = (
  found: Found,
) => (Change & { words?: Words; ops?: readonly Op[] }) | Verdict | undefined

export type OnBroken = (key: string, error: unknown) => void

interface JobStoreOptions {
  onBroken: OnBroken
  /** Reports each written change once to the log and the metrics. */
  onChange?: (changed: Changed) => void
  /** Returns the operations to write with a change, such as an audit entry. */
  opsFor?: (changed: Changed) => readonly Op[]
}

/** The conflicts in a row after which `change` fails; each means that another process wrote a change. */
const TRIES = 20

/** Finds jobs in Redis, writes their changes one transition at a time, and schedules them. */
export class JobStore {
  readonly #store: Store
  readonly #options: JobStoreOptions

  constructor(store: Store, options: JobStoreOptions) {
    this.#store = store
    this.#options = options
  }

  /** Returns undefined if the store has no such job or cannot read it. */
  async find(id: string): Promise<Found | undefined> {
    const keys = { record: jobKeys.record(id), text: jobKeys.words(id) }
    const { now, hash, text } = await read(this.#store, keys)
    return this.#parse(id, hash, text, now)
  }

  /** Returns the jobs in this order and leaves out those no longer stored. */
  async findAll(ids: readonly string[]): Promise<Found[]> {
    const found = await Promise.all(ids.map((id) => this.find(id)))
    return found.filter((one) => one !== undefined)
  }

  async ofUser(user: string, most: number): Promise<Found[]> {
    const key = jobKeys.ofUser(user)
    return this.findAll(await this.#store.redis.zrange(key, "0", String(most - 1), "REV"))
  }

  /** Returns the jobs of a thread, newest first. */
  async inThread(channel: string, root: string): Promise<Found[]> {
    const key = jobKeys.inThread(channel, root)
    return this.findAll(await this.#store.redis.zrange(key, "0", "19", "REV"))
  }

  /** Returns the latest job requested about a subject. */
  async about(project: string, print: string): Promise<Job | undefined> {
    const id = await this.#store.redis.get(jobKeys.about(project, print))
    return id === null ? undefined : (await this.find(id))?.job
  }

  /**
   * Reads the job, decides, and writes the change; starts over if another process has written
   * meanwhile. Resolves to the written change, to the verdict, or to undefined if the job is not
   * stored.
   */
  async change(id: string, decide: Decide<never>, held?: Lease): Promise<Changed | undefined>
  async change<Verdict extends string>(
    id: string,
    decide: Decide<Verdict>,
    held?: Lease,
  ): Promise<Changed | Verdict | undefined>
  async change<Verdict extends string>(
    id: string,
    decide: Decide<Verdict>,
    held?: Lease,
  ): Promise<Changed | Verdict | undefined> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = await this.find(id)
      if (!found) return undefined
      const change = decide(found)
      if (typeof change !== "object") return change
      const job = after(found.job, change)
      const changed = { before: found.job, job, change, now: found.now }
      const written = await this.#write(found, changed, change, held)
      if (written === "lost") return undefined
      if (written === "stale") continue
      this.#options.onChange?.(changed)
      return changed
    }
    throw new Error(`The job ${id} changes faster than it can be written. Try again.`)
  }

  /** Leases jobs that are due for one kind of work. An unreadable record becomes due again after its lease. */
  async claim(kind: Kind, limit: number, leaseMs: number): Promise<Held[]> {
    const records = { recordPrefix: jobKeys.record(""), textPrefix: jobKeys.words("") }
    const schedule = jobKeys.schedule(kind)
    const { now, lease, rows } = await claim(this.#store, schedule, records, { limit, leaseMs })
    return rows.flatMap(({ id, hash, text }) => {
      const found = this.#parse(id, hash, text, now)
      return found ? [{ ...found, kind, lease }] : []
    })
  }

  /** Gives jobs back to the schedule without changing their records. */
  async settle(
    kind: Kind,
    lease: string,
    jobs: readonly { id: string; againMs: number | "done" }[],
  ): Promise<void> {
    await settle(this.#store, jobKeys.schedule(kind), lease, jobs)
  }

  async hurry(kind: Kind, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await hurry(this.#store, { schedule: jobKeys.schedule(kind) }, {}, ids)
  }

  async #write(
    { job, words }: Found,
    changed: Changed,
    { words: newWords, ops: more = [] }: { words?: Words; ops?: readonly Op[] },
    held: Lease | undefined,
  ): Promise<"done" | "stale" | "lost"> {
    const { change } = changed
    const { set, forget = [], keepMs, wordsMs } = change
    const all = { ...words, ...newWords }
    const left = Object.fromEntries(Object.entries(all).filter(([id]) => !forget.includes(id)))
    const isNew = newWords !== undefined || forget.length > 0
    const ops = [...opsOf(changed), ...more, ...(this.#options.opsFor?.(changed) ?? [])]
    const lease = held && { key: held.schedule, member: job.id, lease: held.lease }
    if (held?.againMs !== undefined) {
      const settled = typeof held.againMs === "function" ? held.againMs(changed.job) : held.againMs
      const again = settled === "done" ? {} : { inMs: Math.max(0, Math.round(settled)) }
      ops.push({ do: "settle", key: held.schedule, member: job.id, ...again })
    }
    return commit(this.#store, {
      record: jobKeys.record(job.id),
      text: jobKeys.words(job.id),
      rev: job.rev,
      ...(set ? { set } : {}),
      ...(isNew ? { words: Object.keys(left).length > 0 ? fromWords(left) : null } : {}),
      ...(keepMs === undefined ? {} : { keepMs }),
      ...(wordsMs === undefined ? {} : { wordsMs }),
      ops,
      lease,
    })
  }

  #parse(
    id: string,
    hash: Record<string, string>,
    text: string | undefined,
    now: number,
  ): Found | undefined {
    if (Object.keys(hash).length === 0) return undefined
    try {
      return { now, job: toJob(id, hash), words: text === undefined ? {} : toWords(id, text) }
    } catch (error) {
      this.#options.onBroken(jobKeys.record(id), error)
      return undefined
    }
  }
}

/** Returns the job as it will be once the change is written. Pure. */
export function after(job: Job, { set }: Change): Job {
  return defined<object>({ ...job, ...set, rev: job.rev + 1 }) as Job
}

/** Derives what a change writes besides the record: schedules, the fair queue, the hour, the index. Pure. */
function opsOf({ before, job, change }: Changed): Op[] {
  const { id } = job
  const ops: Op[] = []
  const [from, to] = [queueOf(before), queueOf(job)]
  if (change.line === "leave" || (change.line && from !== to)) ops.push(...leaving(from, before))
  if (change.line === "front") {
    const { wait, waiting } = queueKeys(to)
    ops.push({ do: "score", key: wait, member: id, score: job.tag })
    ops.push({ do: "score", key: waiting(job.turnOf), member: id, score: job.tag })
  }
  if (change.line === "end")
    ops.push({ do: "line", member: id, user: job.turnOf, ...lineOf(to, job.turnOf) })
  if (change.line === "front" || change.line === "end")
    ops.push({ do: "add", key: BUSY, member: to })
  ops.push(...slotOps(before, change, from))
  if (change.inHandMs !== undefined)
    ops.push({ do: "due", key: queueKeys(to).creating, member: id, inMs: change.inHandMs })
  for (const [kind, inMs] of Object.entries(change.due ?? {})) {
    const schedule = jobKeys.schedule(kind as Kind)
    if (inMs === "leave") ops.push({ do: "leave", key: schedule, member: id })
    else
      ops.push({
        do: "due",
        key: schedule,
        member: id,
        inMs: Math.max(0, Math.round(inMs)),
        isNew: kind === "outbox" && !job.isAnswer,
      })
  }
  if (job.from !== undefined && job.from !== before.from)
    ops.push({ do: "tell", what: dispatchOf(to) })
  if (job.card !== undefined && before.card === undefined) ops.push(...indexed(job))
  return ops
}

/** Announces on the wake channel that something may start in this queue. */
function dispatchOf(queue: string): string {
  return `dispatch:${queue}`
}

function leaving(queue: string, { id, turnOf }: Job): Op[] {
  const { wait, waiting } = queueKeys(queue)
  return [
    { do: "leave", key: wait, member: id },
    { do: "leave", key: waiting(turnOf), member: id },
  ]
}

/** Removes a settled creation from those in hand, and gives its slot back or stamps it with the present moment. */
function slotOps(job: Job, { slot, set }: Change, queue: string): Op[] {
  if (job.state !== "creating" || set?.state === undefined || set.state === "creating") return []
  const { creating, log } = queueKeys(queue)
  const member = slotOf(job)
  return [
    { do: "leave", key: creating, member: job.id },
    ...(slot === "back" ? [{ do: "leave" as const, key: log, member }] : []),
    ...(slot === "arrived" ? [{ do: "stamp" as const, key: log, member }] : []),
    { do: "tell", what: dispatchOf(queue) },
  ]
}

function indexed(job: Job): Op[] {
  const root = threadOf(job)
  if (root === undefined) return []
  const key = jobKeys.inThread(job.channel, root)
  const list = { do: "list", key, member: job.id, score: job.at } as const
  return [{ ...list, most: MOST_LISTED, keepMs: FOLLOWED_MS }]
}
