import { z } from "zod"
import { TIMING } from "../config/timing.ts"
import { orSlackError } from "../errors/slack-error.ts"
import type { Job } from "../jobs/job.ts"
import type { JobStore } from "../jobs/job-store.ts"
import { firstWords } from "../jobs/prompt.ts"
import { FOLLOWED_MS } from "../jobs/transitions.ts"
import type { Message } from "../messages/blocks.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { commit, type Op, read } from "../store/commit.ts"
import { key } from "../store/keys.ts"
import { jsonField } from "../store/record.ts"
import { claim } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"
import { isOpen } from "./pull-life.ts"
import { isWorkingTime, nextMorning, workingDaysAfter } from "./working-days.ts"

/** Members are people, each with a record of what they were reminded of. */
export const REMINDERS = key("reminders")
const recordOf = (user: string) => key("reminder", user)

/** A person's jobs that are looked through. */
const LOOKED_THROUGH = 200
/** Until another try where Slack does not say which zone somebody is in, ms. */
const ZONE_AGAIN_MS = 3_600_000

/** When each job's pull request was named last, ms. What cannot be read counts as not named. */
const namedField = jsonField(z.record(z.string(), z.number())).catch({})
type Named = z.output<typeof namedField>

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
}

/** Somebody has an open pull request: they may have to be reminded of it. May be repeated. */
export async function enrol(store: Store, user: string): Promise<void> {
  const record = recordOf(user)
  const ops: Op[] = [{ do: "due", key: REMINDERS, member: user, inMs: 0, isNew: true }]
  for (let written = "stale"; written === "stale"; ) {
    const { hash } = await read(store, { record })
    const rev = hash.rev === undefined ? undefined : Number(hash.rev)
    // Also where there is a record: who is at it holds an older revision, and looks again.
    written = await commit(store, { record, rev, ops })
  }
}

/**
 * One pass: reminds one person of the pull requests that nobody has touched, in one direct message a
 * morning. It is said before it is written down: a crash in between says it twice and never not at all.
 * Returns how long to rest, ms.
 */
export async function reminderPass(deps: ReminderDeps): Promise<number> {
  const { store, leaseMs } = deps
  const records = { recordPrefix: recordOf("") }
  const { now, lease, rows } = await claim(store, REMINDERS, records, { limit: 1, leaseMs })
  const [row] = rows
  if (!row) return UNTIL_WOKEN
  const { id: user, hash } = row
  const after = await remind(deps, user, namedField.parse(hash.named ?? "{}"), now)
  const written = await write(store, { user, lease, rev: Number(hash.rev) }, after)
  if (written !== "stale") return 0
  // Another pull request came up meanwhile, so they stay; what was said is noted all the same.
  const { hash: later } = await read(store, { record: recordOf(user) })
  const againMs = after.againMs === "done" ? 0 : after.againMs
  await write(store, { user, lease, rev: Number(later.rev) }, { ...after, againMs })
  return 0
}

interface After {
  /** Pull requests named now. */
  named?: Named
  againMs: number | "done"
}

function write(
  store: Store,
  { user, lease, rev }: { user: string; lease: string; rev: number },
  { named, againMs }: After,
) {
  const record = recordOf(user)
  const settled: Op = { do: "settle", key: REMINDERS, member: user }
  const ops: Op[] =
    againMs === "done"
      ? [settled, { do: "drop", key: record }]
      : [{ ...settled, inMs: Math.max(0, Math.ceil(againMs)) }]
  const set = named ? { named: JSON.stringify(named) } : {}
  const held = { key: REMINDERS, member: user, lease }
  return commit(store, { record, rev, set, ops, lease: held })
}

async function remind(
  { jobs, outbound, zoneOf, days, message }: ReminderDeps,
  user: string,
  named: Named,
  now: number,
): Promise<After> {
  const found = await jobs.ofUser(user, LOOKED_THROUGH)
  const open = found.filter(({ job }) => isOpenFor(job, user, now))
  if (open.length === 0) return { againMs: "done" }
  const zone = await zoneOf(user)
  if (zone === undefined) return { againMs: ZONE_AGAIN_MS }
  const tomorrow = nextMorning(now, zone) - now
  const stale = open.filter(({ job }) => isStale(job, { now, days, zone }))
  const isDue = stale.some(({ job }) => isToName(job, named, { now, days, zone }))
  if (!isDue || !isWorkingTime(now, zone)) return { againMs: tomorrow }
  const said = message(stale.map(({ job, words }) => ({ job, words: firstWords(job, words) })))
  const error = await outbound.direct(user, said).then(() => undefined, orSlackError)
  if (error?.verdict === "later") return { againMs: error.retryAfterMs ?? TIMING.tries.laterMs }
  return { named: Object.fromEntries(stale.map(({ job }) => [job.id, now])), againMs: tomorrow }
}

/** Is it this person's to see to, while nothing is being done about it and they want to hear of it? */
function isOpenFor({ user: of, pull, state, muted }: Job, user: string, now: number): boolean {
  return (
    of === user &&
    state === "ended" &&
    pull !== undefined &&
    isOpen(pull) &&
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
  if (days === 0 || !pull || !isOpen(pull) || pull.touchedAt === undefined) return false
  return workingDaysAfter(Math.max(pull.since, pull.touchedAt), days, zone) <= now
}

/** Was it not named since it was touched, or as long ago as it takes to become stale? */
function isToName({ id, pull }: Job, named: Named, { now, days, zone }: Staleness): boolean {
  const last = named[id]
  if (last === undefined || last < (pull?.touchedAt ?? 0)) return true
  return workingDaysAfter(last, days, zone) <= now
}
