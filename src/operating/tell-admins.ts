import { tellOnce } from "../asking/tell-admins-once.ts"
import type { Context } from "../jobs/context.ts"
import { isKeyFault } from "../jobs/creation-outcome.ts"
import { isHeldFor } from "../jobs/pauses.ts"
import { UNTIL_WOKEN } from "../lib/loop.ts"
import { WINDOW_MS } from "../lib/time.ts"
import { monthOf, reachedShare, readMonth } from "../limit/month-budget.ts"
import { countUnsent, countWaiting } from "../limit/queue-positions.ts"
import { readJobPath } from "../limit/refused-key.ts"
import { unknownSince } from "../limit/restored-backup.ts"
import {
  adminNotice,
  type BudgetFacts,
  budgetNotice,
  operatorBudgetLine,
  operatorLine,
  operatorNotice,
  redisFull,
  type Trouble,
} from "../messages/admin-notices.ts"
import { FAULTS } from "../messages/faults.ts"
import { date } from "../messages/mrkdwn.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime } from "../store/script.ts"
import { readServerFacts } from "../store/server-state.ts"

/** Reports each problem that needs a person once, to the log and to each admin. */
export async function adminNoticePass(context: Context): Promise<number> {
  const troubles = await openTroubles(context)
  for (const trouble of troubles) {
    const { project, kind, since } = trouble
    const about = `told:${project}:${kind === "job_path" ? "path:" : ""}${since}`
    await tellOnce(context, about, {
      log: () =>
        context.log[FAULTS[kind].isPassing ? "warn" : "error"](
          { project: context.settings.projects.nameOf(project), reason: kind },
          operatorNotice(trouble),
        ),
      message: (admin) => adminNotice(trouble, admin),
    })
  }
  return troubles.length > 0 ? context.settings.timing.careMs : UNTIL_WOKEN
}

interface TroublesOf extends Pick<Context, "store" | "health"> {
  settings: Pick<Context["settings"], "docs" | "access" | "isInContainer" | "projects">
}

/**
 * Lists what a person must fix or should know: pauses without an end, an hour that is waited out, and
 * a `DOCS_JOB_PATH` that finds no job.
 */
export async function openTroubles({ store, health, settings }: TroublesOf): Promise<Trouble[]> {
  const { baseUrl, jobPath } = settings.docs
  const { admins } = settings.access
  const host = new URL(baseUrl).host
  const unknown = await unknownSince(store)
  const found = settings.projects.all.map(async ({ key: project, isSingle }) => {
    const [pause, path, waiting] = await Promise.all([
      health.read(project),
      readJobPath(store.redis, project, jobPath),
      countUnsent(store, project),
    ])
    const setting = isSingle ? "DOCS_API_KEY" : "DOCS_PROJECTS"
    const { isInContainer } = settings
    const label = settings.projects.labelOf(project)
    const all = { project, label, host, setting, waiting, admins, isInContainer }
    const { reason, since = 0, backupAt } = pause
    const isLasting = isKeyFault(reason) || reason === "restored"
    // A pause because of another key ends by itself.
    const isHeld = isHeldFor(pause, settings.projects.keyIdOf(project))
    return [
      ...(isLasting && isHeld ? [{ ...all, kind: reason, since, backupAt }] : []),
      ...(unknown ? [unknownHour(all, unknown)] : []),
      ...(path ? [{ ...all, kind: "job_path" as const, since: path.since }] : []),
    ]
  })
  return (await Promise.all(found)).flat()
}

function unknownHour(facts: Omit<Trouble, "kind" | "since">, since: number): Trouble {
  return { ...facts, kind: "unknown_hour", since, until: date(since + WINDOW_MS) }
}

/** Key of the time since when Redis has been almost full, by its clock. */
const FULL = key("full")
const EVERY_MS = 60_000

/**
 * Tells the log and the admins once that Redis turns new requests away. One whose memory wavers
 * about the limit is told of again only after it had room.
 */
export async function redisFullPass(context: Context): Promise<number> {
  const { redis } = context.store
  const servers = await readServerFacts(redis)
  if (servers.some(({ isNearlyFull }) => isNearlyFull))
    await redis.set(FULL, await currentTime(context.store), "NX")
  else if (servers.every(({ isRoomy }) => isRoomy)) await redis.del(FULL)
  const since = await redis.get(FULL)
  if (since !== null)
    await tellOnce(context, `told:redis_full:${since}`, {
      log: () => context.log.error({}, operatorLine(redisFull())),
      message: (admin) => redisFull(context.settings.access.admins, admin),
    })
  return EVERY_MS
}

/** Tells each admin once when a project's month reaches 75%, 95% and its end, extended or not. */
export async function budgetPass(context: Context): Promise<number> {
  const { limits, timing } = context.settings
  if (limits.jobsPerMonth === 0) return UNTIL_WOKEN
  for (const budget of await reachedBudgets(context)) {
    const { project, label, notice } = budget
    await tellOnce(context, `budget:${project}:${notice}`, {
      log: () => context.log.warn({ project: label }, operatorBudgetLine(budget, context.settings)),
      message: (admin) => budgetNotice(budget, context.settings.access.admins, admin),
    })
  }
  return timing.careMs
}

interface BudgetsOf extends Pick<Context, "store"> {
  settings: Pick<Context["settings"], "limits" | "projects">
}

/** Lists the months of projects that have reached a share of which admins hear. */
export async function reachedBudgets({ store, settings }: BudgetsOf): Promise<BudgetFacts[]> {
  const { limits, projects } = settings
  const found = projects.keys.map(async (project) => {
    const month = await readMonth(store, project, limits.jobsPerMonth)
    const share = month && reachedShare(month)
    if (!month || share === undefined) return []
    const notice = `${monthOf(month.endsAt - 1)}.${month.most}.${share}`
    const waiting = share === 1 ? await countWaiting(store, project) : 0
    return [{ ...month, project, label: projects.labelOf(project), share, waiting, notice }]
  })
  return (await Promise.all(found)).flat()
}
