import { fromPrompts, type Prompted, type Prompts, toPrompts } from "../asking/request-text.ts"
import { defined } from "../lib/defined.ts"
import type { Op, Unless } from "../store/commit.ts"
import { createRecords, type OnBroken } from "../store/records.ts"
import { giveBack } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"
import { type Change, FOLLOWED_MS, type Kind, keptFor } from "./change.ts"
import { type Job, toJob } from "./job.ts"
import { BUSY, dispatchOf, fairQueueOf, jobKeys, queueKeys, queueOf, slotOf } from "./job-keys.ts"
import { applied, DERIVED } from "./transitions.ts"

/** Job with the text of its requests, as read at a single point in time. */
export interface Found extends Prompted {
  now: number
}

/** Lease of a worker on a due job (see `store/schedule.ts`), which its changes require. */
interface Lease {
  schedule: string
  lease: string
}

export interface Held extends Found, Lease {}

/** Wait in ms until a job is due again, or `done` for the end of one kind of work on it. */
export type Again = number | "done"

export interface Changed<C extends Change = Change> {
  before: Job
  job: Job
  change: C
  now: number
}

/** Change to a job, the prompts of its new requests, and anything else the store writes with them. */
export type Decision = Change & { prompts?: Prompts; ops?: readonly Op[]; unless?: Unless }

interface JobStoreOptions {
  /** Delay after which a request may start, in ms. */
  delayMs: number
  onBroken: OnBroken
  onChange?: (changed: Changed) => void
  /** Returns the operations to write with a change, such as an audit entry. */
  opsFor?: (changed: Changed) => readonly Op[]
}

export type JobStore = ReturnType<typeof createJobStore>

/** Creates the store that finds jobs in Redis, writes their changes and schedules them. */
export function createJobStore(store: Store, options: JobStoreOptions) {
  const { delayMs, onBroken, onChange, opsFor } = options
  const { redis } = store
  const records = createRecords<Found>(
    store,
    {
      record: jobKeys.record,
      text: jobKeys.words,
      parse: (id, hash, text, now) => ({
        now,
        job: toJob(id, hash),
        prompts: text === undefined ? {} : toPrompts(id, text),
      }),
    },
    onBroken,
  )

  async function findAll(ids: readonly string[]): Promise<Found[]> {
    const found = await Promise.all(ids.map((id) => records.find(id)))
    return found.filter((one) => one !== undefined)
  }

  function writingOf(prompts: Prompts, changed: Changed<Decision>, held: Lease | undefined) {
    const { before, job, change } = changed
    const { forget = [], prompts: newPrompts, ops: more = [], unless } = change
    const set = { ...change.set, ...Object.fromEntries(DERIVED.map((name) => [name, job[name]])) }
    const all = Object.entries({ ...prompts, ...newPrompts })
    const left = Object.fromEntries(all.filter(([id]) => !forget.includes(id)))
    const isNew = newPrompts !== undefined || forget.length > 0
    const text = Object.keys(left).length > 0 && fromPrompts(left)
    const ops = [...opsOf(changed), ...more, ...(opsFor?.(changed) ?? [])]
    const lease = held && { key: held.schedule, member: job.id, lease: held.lease }
    const words = isNew ? text : undefined
    return defined({ set, words, ...keptFor(before, job), ops, unless, lease })
  }

  return {
    find: records.find,
    findAll,

    ofUser: async (user: string, most: number) =>
      findAll(await redis.zrange(jobKeys.ofUser(user), "0", String(most - 1), "REV")),

    inThread: async (channel: string, root: string) =>
      findAll(await redis.zrange(jobKeys.inThread(channel, root), "0", "19", "REV")),

    /**
     * Reads the job, decides, and writes the change; starts over if another process has written
     * meanwhile. Resolves to the written change, to the verdict that was returned instead of one
     * or the answer of `unless`, or to undefined if the job or the lease is gone or nothing changes.
     */
    async change<Verdict extends string = never>(
      id: string,
      decide: (found: Found) => Decision | NoInfer<Verdict> | undefined,
      held?: Lease,
    ): Promise<Changed | Verdict | undefined> {
      const result = await records.change<Changed | Verdict | undefined, Verdict>(id, (found) => {
        const change = found && decide(found)
        if (!found || typeof change !== "object") return { result: change as Verdict | undefined }
        const job = applied(found.job, change, delayMs)
        const changed = { before: found.job, job, change, now: found.now }
        return { result: changed, write: writingOf(found.prompts, changed, held) }
      })
      if (typeof result === "object") onChange?.(result)
      return result
    },

    /**
     * Takes the next step of up to `limit` jobs that are due for one kind of work. A change to a
     * job during its step may make it due sooner than the step's return value says.
     * @returns the wait until the next pass, in ms
     */
    async eachDue(
      kind: Kind,
      limits: { limit: number; leaseMs: number },
      step: (held: Held) => Promise<Again>,
    ): Promise<number> {
      const schedule = jobKeys.schedule(kind)
      const { held, waitMs } = await records.claim(schedule, limits)
      const waits = await Promise.all(
        held.map(async ({ id, lease, value }) => {
          const againMs = await step({ ...value, schedule, lease })
          return giveBack(store, schedule, { id, lease }, againMs)
        }),
      )
      return Math.min(waitMs, ...waits)
    },
  }
}

/** Derives what a change writes besides the record: schedules, queue, rolling hour, index. Pure. */
function opsOf({ before, job, change }: Changed): Op[] {
  const { id } = job
  const [from, to] = [queueOf(before), queueOf(job)]
  const ops = [...queueOps(before, job), ...slotOps(before, change, from)]
  const isNews = job.prLink !== before.prLink || job.pull?.state !== before.pull?.state
  // The channels that get all results show what is new of a pull request.
  const due = isNews || job.endedAt !== before.endedAt ? { results: 0, ...change.due } : change.due
  for (const [kind, inMs] of Object.entries(due ?? {})) {
    const entry = { key: jobKeys.schedule(kind as Kind), member: id }
    // A change undoes no wait after a failure. So no step may wait long in the outbox for a time to
    // come: what happens meanwhile, an ending too, would be shown only then.
    const onlyIfAbsent = kind === "outbox" && !job.isAwaited
    ops.push({ do: "due", ...entry, inMs: Math.max(0, Math.round(inMs)), onlyIfAbsent })
  }
  if (job.mayStartAt !== undefined && job.mayStartAt !== before.mayStartAt)
    ops.push({ do: "tell", what: dispatchOf(to) })
  if (job.card !== undefined && before.card === undefined)
    ops.push(listed(jobKeys.inThread(job.channel, job.thread ?? job.card), job))
  return ops
}

/**
 * Returns the operations that keep a job in its queue exactly while it is queued. A job that was
 * put back returns to its old position; any other goes behind its person's other jobs.
 */
function queueOps(before: Job, job: Job): Op[] {
  if (before.state === job.state && before.turnOf === job.turnOf) return []
  const { id, turnOf, tag } = job
  const was = fairQueueOf(queueOf(before), before.turnOf)
  const left = before.state === "queued" ? [was.wait, was.waiting] : []
  const ops = left.map((key): Op => ({ do: "leave", key, member: id }))
  if (job.state !== "queued") return ops
  const is = fairQueueOf(queueOf(job), turnOf)
  const position: Op[] =
    before.state === "creating"
      ? [is.wait, is.waiting].map((key) => ({ do: "score", key, member: id, score: tag }))
      : [{ do: "enqueue", member: id, record: jobKeys.record(id), user: turnOf, ...is }]
  return [...ops, ...position, { do: "add", key: BUSY, member: queueOf(job) }]
}

/**
 * Returns the operations that end a creation in flight, and free its slot or set its time to now.
 */
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

/** Maximum number of jobs in the list of a person or thread; the oldest are dropped. */
const MAX_LISTED = 200

/** Adds the job to a list by which it can be found: a person's or a thread's. */
export function listed(key: string, { id, at }: Pick<Job, "id" | "at">): Op {
  return { do: "list", key, member: id, score: at, most: MAX_LISTED, keepMs: FOLLOWED_MS }
}
