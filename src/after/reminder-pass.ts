import { z } from "zod"
import { againAfter, SLACK_TRIES } from "../config/timing.ts"
import { orSlackError } from "../errors/slack-error.ts"
import type { Job } from "../jobs/job.ts"
import type { JobStore } from "../jobs/job-store.ts"
import { firstWords } from "../jobs/prompt.ts"
import { FOLLOWED_MS } from "../jobs/transitions.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { commit, type Op, read } from "../store/commit.ts"
import { key } from "../store/keys.ts"
import { jsonField, numberField, parseRecord, toHash } from "../store/record.ts"
import { claim } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"
import { dayOf, isWorkingTime, nextMorning, workingDaysAfter } from "./working-days.ts"

/** Members are people, each with a record of when they were reminded. */
export const REMINDERS = key("reminders")
const recordOf = (user: string) => key("reminder", user)

/** A person's jobs that are looked through. */
const LOOKED_THROUGH = 200
/** Until another try where Slack does not say which zone somebody is in, ms. */
const ZONE_AGAIN_MS = 3_600_000
/** Tries whose outcome Slack left open, before the morning counts as reminded. */
const MOST_UNSURE = 2

const recordShape = z.object({
  v: z.literal("1"),
  rev: numberField,
  /** The day of the last reminder, in the person's zone. */
  day: z.exactOptional(z.string()),
  /** When each job's pull request was named last, ms. */
  named: jsonField(z.record(z.string(), z.number())).default({}),
  /** Tries of today without a clear answer. */
  unsure: numberField.default(0),
})
type Reminded = z.infer<typeof recordShape>

export interface ReminderDeps {
  store: Store
  jobs: Pick<JobStore, "ofUser">
  outbound: Pick<Outbound, "direct">
  /** IANA name of a person's time zone; undefined while Slack does not tell. */
  zoneOf: (user: string) => Promise<string | undefined>
  /** Working days without anything happening to a pull request. */
  days: number
  leaseMs: number
  /** @param stale at least one */
  message: (stale: readonly { job: Job; words: string }[]) => Message
  onBroken: (key: string, error: unknown) => void
}

/** Somebody has an open pull request: they may have to be reminded of it. May be repeated. */
export async function enrol(store: Store, user: string): Promise<void> {
  const record = recordOf(user)
  for (;;) {
    const { hash } = await read(store, { record })
    const rev = hash.rev === undefined ? undefined : Number(hash.rev)
    // Who is being reminded just now holds an older revision, and looks again at what is open.
    const done = await commit(store, {
      record,
      rev,
      set: rev === undefined ? { v: "1" } : {},
      ops: [{ do: "due", key: REMINDERS, member: user, inMs: 0, isNew: true }],
    })
    if (done !== "stale") return
  }
}

/**
 * One pass: reminds one person of the pull requests that nobody has touched, in one direct message a
 * morning. It is said before it is written down, so a crash in between says it twice and never not at all.
 * Returns how long to rest, ms.
 */
export async function reminderPass(deps: ReminderDeps): Promise<number> {
  const { store, leaseMs } = deps
  const records = { recordPrefix: recordOf("") }
  const { now, lease, rows } = await claim(store, REMINDERS, records, { limit: 1, leaseMs })
  const [row] = rows
  if (!row) return UNTIL_WOKEN
  const { id: user, hash } = row
  let record: Reminded
  try {
    record = parseRecord(recordShape, `reminder of ${user}`, hash)
  } catch (error) {
    deps.onBroken(recordOf(user), error)
    return 0
  }
  const after = await remind(deps, user, record, now)
  const written = await write(store, { user, lease, rev: record.rev }, after)
  if (written !== "stale") return 0
  // Another pull request came up meanwhile: what was said is noted, and everything is looked at again.
  const { hash: later } = await read(store, { record: recordOf(user) })
  await write(store, { user, lease, rev: Number(later.rev) }, { ...after, againMs: 0 })
  return 0
}

function write(
  store: Store,
  { user, lease, rev }: { user: string; lease: string; rev: number },
  { set = {}, againMs }: After,
) {
  const settled: Op = { do: "settle", key: REMINDERS, member: user }
  const ops: Op[] =
    againMs === "done"
      ? [settled, { do: "drop", key: recordOf(user) }]
      : [{ ...settled, inMs: Math.max(0, Math.ceil(againMs)) }]
  const held = { key: REMINDERS, member: user, lease }
  return commit(store, { record: recordOf(user), rev, set: toHash(set), ops, lease: held })
}

interface After {
  set?: Partial<Reminded>
  againMs: number | "done"
}

async function remind(
  deps: ReminderDeps,
  user: string,
  record: Reminded,
  now: number,
): Promise<After> {
  const found = await deps.jobs.ofUser(user, LOOKED_THROUGH)
  const open = found.filter(({ job }) => isOpenFor(job, user, now))
  if (open.length === 0) return { againMs: "done" }
  const zone = await deps.zoneOf(user)
  if (zone === undefined) return { againMs: ZONE_AGAIN_MS }
  const tomorrow = nextMorning(now, zone) - now
  const day = dayOf(now, zone)
  if (!isWorkingTime(now, zone) || record.day === day) return { againMs: tomorrow }
  const { days } = deps
  const stale = open.filter(({ job }) => isStale(job, { now, days, zone }))
  if (!stale.some(({ job }) => isToName(job, record.named, { now, days, zone })))
    return { againMs: tomorrow }
  const message = deps.message(
    stale.map(({ job, words }) => ({ job, words: firstWords(job, words) })),
  )
  const error = await deps.outbound.direct(user, message).then(() => undefined, orSlackError)
  if (error?.verdict === "later") return { againMs: error.retryAfterMs ?? SLACK_TRIES.laterMs }
  const unsure = record.unsure + 1
  if (error?.verdict === "unknown" && unsure < MOST_UNSURE)
    return { set: { unsure }, againMs: againAfter(record.unsure) }
  const named = Object.fromEntries(stale.map(({ job }) => [job.id, now]))
  return { set: { day, named, unsure: 0 }, againMs: tomorrow }
}

/** Is it this person's to see to, while nothing is being done about it and they want to hear of it? */
function isOpenFor({ user: of, pull, state, muted }: Job, user: string, now: number): boolean {
  return (
    of === user &&
    state === "ended" &&
    pull?.facts?.phase === "open" &&
    now - pull.since < FOLLOWED_MS &&
    !muted.includes(user)
  )
}

interface Staleness {
  now: number
  /** Working days of the zone. */
  days: number
  zone: string
}

/** Has nobody done anything about its open pull request for so long? Pure. */
export function isStale({ pull }: Pick<Job, "pull">, { now, days, zone }: Staleness): boolean {
  if (days === 0 || pull?.facts?.phase !== "open" || pull.touchedAt === undefined) return false
  return workingDaysAfter(Math.max(pull.since, pull.touchedAt), days, zone) <= now
}

/** Was it not named since it was touched, or as long ago as it takes to become stale? */
function isToName(
  { id, pull }: Job,
  named: Reminded["named"],
  { now, days, zone }: Staleness,
): boolean {
  const last = named[id]
  if (last === undefined || last < (pull?.touchedAt ?? 0)) return true
  return workingDaysAfter(last, days, zone) <= now
}
