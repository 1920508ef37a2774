import { isDeepStrictEqual } from "node:util"
import { stopwatch } from "../lib/time.ts"
import { commit, type Op, type Unless } from "../store/commit.ts"
import { toHash } from "../store/record-fields.ts"
import { createRecords, type OnBroken } from "../store/records.ts"
import { giveBack } from "../store/schedule-and-leases.ts"
import type { Store } from "../store/script.ts"
import { isStoreAway } from "../store/server-state.ts"
import { endedNotes } from "./audit-log.ts"
import {
  applied,
  type Changed,
  type Decision,
  keptFor,
  type NewJob,
  newJobOps,
  opsOf,
  textOps,
} from "./change.ts"
import { type Job, toJob } from "./job.ts"
import { jobKeys, type Kind } from "./job-keys.ts"
import { createTexts } from "./request-record.ts"

/** Job as read at a single point in time. */
export interface Found {
  job: Job
  now: number
}

/** Lease of a worker on a due job (see `store/schedule-and-leases.ts`), which its changes require. */
interface Lease {
  schedule: string
  lease: string
}

export interface Held extends Found, Lease {
  /** Returns whether half of the lease is left, which outlasts the timeout of a post or an edit. */
  inTime: () => boolean
}

/** Wait in ms until a job is due again, or `done` for the end of one kind of work on it. */
export type Again = number | "done"

/** Delay in ms before a step that failed is tried again. */
const FAILED_MS = 60_000

/** Why a job was not changed: there is none, nothing is to change, or another worker has the lease. */
type Unwritten = "gone" | "unchanged" | "lost"

interface JobStoreOptions {
  /** Delay after which a request may start, in ms. */
  delayMs: number
  onBroken: OnBroken
  /** Receives an unexpected error of one job's step, which must not stop the others. */
  onFailed: (kind: Kind, job: Job, error: unknown) => void
  onChange?: (changed: Changed) => void
  /** Number of days for which the audit log keeps endings; 0 keeps none. */
  auditDays?: number
}

export type JobStore = ReturnType<typeof createJobStore>

/** Creates the store that finds jobs in Redis, writes their changes and schedules them. */
export function createJobStore(store: Store, options: JobStoreOptions) {
  const { delayMs, onBroken, onFailed, onChange, auditDays = 0 } = options
  const records = recordsOf(store, onBroken)
  return {
    ...readersOf(store, records),
    ...createTexts(store, onBroken),
    eachDue: passesOf(store, records, onFailed),

    /** Stores a new job. Resolves to `commit`'s answer. */
    add: (created: NewJob, unless: Unless) =>
      commit(store, {
        record: jobKeys.record(created.job.id),
        rev: undefined,
        set: fieldsOf(created.job),
        ops: newJobOps(created),
        unless,
      }),

    /**
     * Reads the job, decides, and writes the change; starts over if another process has written
     * meanwhile. Resolves to the written change, or to why there is none: `decide`'s verdict or, if
     * it returned undefined, `unchanged`; an answer of `unless`; or one of `Unwritten`.
     */
    async change<Verdict extends string = never>(
      id: string,
      decide: (found: Found) => Decision | NoInfer<Verdict> | undefined,
      held?: Lease,
    ): Promise<Changed | Verdict | Unwritten> {
      type Answer = Changed | Verdict | Unwritten
      const answer = await records.change<Answer, Verdict | Unwritten>(id, (found) => {
        if (!found) return { write: undefined, result: "gone" }
        const change = decide(found) ?? "unchanged"
        if (typeof change === "string") return { write: undefined, result: change }
        const job = applied(found.job, change, delayMs)
        const changed = { before: found.job, job, change, now: found.now }
        return { write: writingOf(changed, auditDays, held), result: changed }
      })
      if (typeof answer === "object") onChange?.(answer)
      return answer
    },
  }
}

function recordsOf(store: Store, onBroken: OnBroken) {
  const parse = (id: string, hash: Record<string, string>, now: number): Found => ({
    now,
    job: toJob(id, hash),
  })
  return createRecords(store, { record: jobKeys.record, parse }, onBroken)
}

/**
 * Makes the pass that takes the next step of up to `limit` jobs that are due for one kind of work,
 * and resolves to the wait until the next pass, in ms. A change to a job during its step may make
 * it due sooner than the step's return value says. A step that fails is reported and comes again
 * after a while, unless Redis itself is away.
 */
function passesOf(
  store: Store,
  records: ReturnType<typeof recordsOf>,
  onFailed: JobStoreOptions["onFailed"],
) {
  return async function eachDue(
    kind: Kind,
    limits: { limit: number; leaseMs: number },
    step: (held: Held) => Promise<Again>,
  ): Promise<number> {
    const schedule = jobKeys.schedule(kind)
    const sinceClaim = stopwatch()
    const inTime = () => sinceClaim() < limits.leaseMs / 2
    const { held, waitMs } = await records.claim(schedule, limits)
    const waits = held.map(async ({ id, lease, value }) => {
      const againMs = await step({ ...value, schedule, lease, inTime }).catch((error: unknown) => {
        if (isStoreAway(error)) throw error
        onFailed(kind, value.job, error)
        return FAILED_MS
      })
      return giveBack(store, schedule, { id, lease }, againMs)
    })
    return Math.min(waitMs, ...(await Promise.all(waits)))
  }
}

function readersOf({ redis }: Store, records: ReturnType<typeof recordsOf>) {
  async function findAll(ids: readonly string[]): Promise<Found[]> {
    const found = await Promise.all(ids.map((id) => records.find(id)))
    return found.filter((one) => one !== undefined)
  }

  return {
    find: records.find,
    findAll,

    /** Parses a record that a script returned; undefined if it doesn't parse, which is reported. */
    jobOf: (id: string, hash: Record<string, string>) => records.parsed(id, hash, 0)?.job,

    ofUser: async (user: string) =>
      findAll(await redis.zrange(jobKeys.ofUser(user), "0", "-1", "REV")),

    inThread: async (channel: string, root: string) =>
      findAll(await redis.zrange(jobKeys.inThread(channel, root), "0", "-1", "REV")),
  }
}

/** Returns the write of a change: the fields that differ by now, and what is derived from them. */
function writingOf(changed: Changed<Decision>, auditDays: number, held: Lease | undefined) {
  const { before, job, change } = changed
  const { creates, ops: own = [], unless } = change
  const kept = keptFor(before, job)
  const ops = [
    ...opsOf(changed),
    ...textOps(changed, kept?.wordsMs),
    ...(creates ? [recordOf(creates.job), ...newJobOps(creates)] : []),
    ...own,
    ...endedNotes(auditDays, changed),
  ]
  const lease = held && { key: held.schedule, member: job.id, lease: held.lease }
  return { set: changedFields(before, job), keepMs: kept?.keepMs, ops, unless, lease }
}

/** Returns the fields that a change has set or derived, of which the undefined ones are deleted. */
function changedFields(before: Job, job: Job) {
  const earlier: Readonly<Record<string, unknown>> = before
  const fields = Object.entries(fieldsOf(job))
  return Object.fromEntries(
    fields.filter(([name, value]) => !isDeepStrictEqual(value, earlier[name])),
  )
}

function recordOf(job: Job): Op {
  return { do: "record", key: jobKeys.record(job.id), fields: toHash(fieldsOf(job)) }
}

/** Returns what a record holds; its key names it, and the commit counts changes. */
function fieldsOf(job: Job) {
  const { id: _, rev: __, tag: ___, ...fields } = job
  return fields
}
