import { tellOnce } from "../asking/tell-admins.ts"
import type { Context } from "../jobs/context.ts"
import { readJobPath } from "../jobs/deployment.ts"
import { BUSY, monthOf, projectOf, queueKeys } from "../jobs/job-keys.ts"
import { isKeyFault } from "../jobs/pause-record.ts"
import { UNTIL_WOKEN } from "../lib/loop.ts"
import { WINDOW_MS } from "../lib/time.ts"
import { reachedShare, readMonth } from "../limit/month-budget.ts"
import { isHeldFor } from "../limit/pauses.ts"
import { countUnsent } from "../limit/queue-positions.ts"
import { unknownSince } from "../limit/restored-backup.ts"
import { faultNotice, monthNotice, type Notice, troubleNotice } from "../messages/admin-notices.ts"
import type { Setup } from "../messages/fault-words.ts"
import { date } from "../messages/mrkdwn.ts"
import { gitHubRefusals, limitInForce } from "../pulls/github-limit.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime, type Store } from "../store/script.ts"
import { readServerFacts } from "../store/server-state.ts"

/** Maximum ms between two looks: Redis fills up without telling anybody. */
const EVERY_MS = 60_000

/** Reports each problem that needs a person once, to the log and to each admin. */
export async function adminNoticePass(context: Context): Promise<number> {
  const troubles = await openTroubles(context)
  const lasting = await lastingRedisNotices(context.store)
  for (const notice of [...troubles, ...lasting]) await tellOnce(context, notice)
  return troubles.length > 0 ? context.settings.timing.careMs : EVERY_MS
}

/** Reports each share of a month's requests once; apart, because it must look more often. */
export async function monthNoticePass(context: Context): Promise<number> {
  const { limits, timing } = context.settings
  if (limits.jobsPerMonth === 0) return UNTIL_WOKEN
  for (const notice of await reachedBudgets(context)) await tellOnce(context, notice)
  return timing.careMs
}

interface NoticesOf extends Pick<Context, "store" | "health"> {
  settings: Pick<Context["settings"], "docs" | "access" | "isInContainer" | "projects" | "limits">
}

/** Lists what holds the requests of projects or their results back, or soon will. */
export async function queueNotices(context: NoticesOf): Promise<Notice[]> {
  const { store, settings } = context
  return [
    ...(await openTroubles(context)),
    ...(await reachedBudgets(context)),
    ...((await hasRemoved(store, settings.projects)) ? [faultNotice("removed", settings)] : []),
  ]
}

/** Looks for requests of a project that the settings no longer have. */
async function hasRemoved({ redis }: Store, { keys }: NoticesOf["settings"]["projects"]) {
  const busy = await redis.smembers(BUSY)
  const removed = busy.filter((queue) => !keys.includes(projectOf(queue)))
  const counts = await Promise.all(removed.map((queue) => redis.zcard(queueKeys(queue).wait)))
  return counts.some((count) => count > 0)
}

/**
 * Lists what a person must fix or should know: pauses without an end, an hour that is waited out, and
 * a `DOCS_JOB_PATH` that finds no job.
 */
async function openTroubles({ store, health, settings }: NoticesOf): Promise<Notice[]> {
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
    const until = date((unknown ?? 0) + WINDOW_MS)
    return [
      ...(isLasting && isHeld ? [troubleNotice({ ...all, kind: reason, since, backupAt })] : []),
      ...(unknown ? [troubleNotice({ ...all, kind: "unknown_hour", since: unknown, until })] : []),
      ...(path ? [troubleNotice({ ...all, kind: "job_path", since: path.since })] : []),
    ]
  })
  return (await Promise.all(found)).flat()
}

/** Lists the months of projects that have reached a share of which admins hear. */
async function reachedBudgets({ store, settings }: NoticesOf): Promise<Notice[]> {
  const { limits, projects } = settings
  const found = projects.keys.map(async (project) => {
    const month = await readMonth(store, project, limits.jobsPerMonth)
    const share = month && reachedShare(month)
    if (!month || share === undefined) return []
    const notice = `${monthOf(month.endsAt - 1)}.${month.most}.${share}`
    const waiting = share === 1 ? await countUnsent(store, project, ["wait"]) : 0
    const label = projects.labelOf(project)
    return monthNotice({ ...month, project, label, share, waiting, notice }, settings)
  })
  return (await Promise.all(found)).flat()
}

/** Key of the time since when Redis has been almost full, by its clock. */
const FULL = key("full")

/** Lists that Redis is almost full; if its memory wavers about the limit, until it had room. */
async function lastingRedisNotices(store: Store): Promise<Notice[]> {
  const { redis } = store
  const servers = await readServerFacts(redis)
  if (servers.some(({ isNearlyFull }) => isNearlyFull))
    await redis.set(FULL, await currentTime(store), "NX")
  else if (servers.every(({ isRoomy }) => isRoomy)) await redis.del(FULL)
  const since = await redis.get(FULL)
  return since === null ? [] : [faultNotice("redis_full", {}, `redis_full:${since}`)]
}

/** Lists what keeps pull requests from being followed. @param tokenHash of GitHub's token */
export async function gitHubNotices(
  store: Store,
  tokenHash: string,
  setup: Pick<Setup, "isInContainer">,
): Promise<Notice[]> {
  const limit = await limitInForce(store, tokenHash)
  const until = limit && date(limit.until)
  return [
    ...(limit ? [faultNotice(limit.fault, { until })] : []),
    ...(await gitHubRefusals(store, tokenHash, setup)),
  ]
}
