import { refusalOf } from "../../errors/slack-error.ts"
import { adminNotice, operatorNotice, runningAgain } from "../../messages/admin-notice.ts"
import type { Message } from "../../messages/blocks.ts"
import { UNTIL_WOKEN } from "../../runtime/alarm.ts"
import type { Log } from "../../runtime/log.ts"
import { key } from "../../store/keys.ts"
import { isFirst } from "../../store/limits.ts"
import type { Store } from "../../store/script.ts"
import type { JobsDeps } from "../deps.ts"
import { queueKeys, queuesOf } from "../keys.ts"
import { readJobPath } from "./key-check.ts"
import { isKeyFault } from "./pause.ts"

/** Time in ms before the bot repeats a notice, because admins still remember the problem. */
const TOLD_MS = 30 * 86_400_000
/** Time in ms after which a pass may retry a notice, if a process died or Slack was unreachable. */
const CLAIMED_MS = 60_000

/** Counts a project's requests and follow-ups in these states: a pause holds back both. */
async function countIn({ redis }: Store, project: string, ...states: ("wait" | "creating")[]) {
  const sets = queuesOf([project]).map(queueKeys)
  const counts = await Promise.all(sets.flatMap((of) => states.map((one) => redis.zcard(of[one]))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Key of the admins who have yet to hear that a project's pause is over. */
const toHear = (project: string) => key("paused", project)

interface Telling extends Pick<JobsDeps, "store" | "rules"> {
  outbound: Pick<JobsDeps["outbound"], "direct">
}

/** Reports each problem that needs a person once, to the log and to each admin. */
export async function adminNoticePass(deps: JobsDeps, log: Pick<Log, "error">): Promise<number> {
  const { redis } = deps.store
  const troubles = await openTroubles(deps)
  const ending = await Promise.all(deps.projectKeys.map((project) => tellEnd(deps, project)))
  for (const trouble of troubles) {
    const { project, kind, since } = trouble
    const about = `told:${project}:${kind === "job_path" ? "path:" : ""}${since}`
    await tellOnce(deps, about, {
      log: () =>
        log.error({ project: deps.nameOf(project), reason: kind }, operatorNotice(trouble)),
      message: async (admin) => {
        if (kind !== "job_path") await redis.sadd(toHear(project), admin)
        await redis.pexpire(toHear(project), TOLD_MS)
        return adminNotice(trouble, admin)
      },
    })
  }
  return troubles.length > 0 || ending.includes(true) ? deps.timing.careMs : UNTIL_WOKEN
}

/**
 * Tells the admins who heard of a pause that it is over, once its test request was accepted or
 * nothing waits. Resolves to whether any had yet to hear.
 */
async function tellEnd({ store, health, outbound, labelOf }: JobsDeps, project: string) {
  const { redis } = store
  const admins = await redis.smembers(toHear(project))
  if (admins.length === 0) return false
  const { until, reason } = await health.read(project)
  const isTested = reason === undefined || (await countIn(store, project, "wait", "creating")) === 0
  if (until === "ever" || !isTested) return true
  const message = runningAgain(labelOf(project), await countIn(store, project, "wait"))
  for (const admin of admins)
    if ((await redis.srem(toHear(project), admin)) === 1)
      if (!(await mayHaveHeard(outbound, admin, message))) await redis.sadd(toHear(project), admin)
  return true
}

export async function tellOnce(
  { store, outbound, rules: { admins } }: Telling,
  about: string,
  { log, message }: { log: () => void; message: (admin: string) => Promise<Message> | Message },
): Promise<void> {
  if (await isFirst(store, `${about}:log`, TOLD_MS)) log()
  for (const admin of admins) {
    const task = `${about}:${admin}`
    if (!(await isFirst(store, task, CLAIMED_MS))) continue
    if (await mayHaveHeard(outbound, admin, await message(admin)))
      await store.redis.pexpire(key("once", task), TOLD_MS)
  }
}

/** Sends a notice. Resolves to false only if it certainly did not arrive and a retry may help. */
async function mayHaveHeard({ direct }: Telling["outbound"], admin: string, message: Message) {
  const refused = await refusalOf(direct(admin, message))
  return refused?.verdict !== "later"
}

export type Trouble = Awaited<ReturnType<typeof openTroubles>>[number]

/** Lists what a person must fix: pauses without an end, and a `DOCS_JOB_PATH` that finds no job. */
export async function openTroubles(deps: JobsDeps) {
  const { store, health, admins, labelOf, config } = deps
  const { baseUrl, jobPath, projects } = config.docs
  const host = new URL(baseUrl).host
  const found = projects.map(async ({ key: project, isSingle }) => {
    const [{ reason, since = 0, until }, path, waiting] = await Promise.all([
      health.read(project),
      readJobPath(store.redis, project, jobPath),
      // One that was refused is still being sent until it is back in its queue.
      countIn(store, project, "wait", "creating"),
    ])
    const setting = isSingle ? "DOCS_API_KEY" : "DOCS_PROJECTS"
    const all = { project, label: labelOf(project), host, setting, waiting, admins }
    const isLasting = isKeyFault(reason) || reason === "restored"
    return [
      ...(isLasting && until === "ever" ? [{ ...all, kind: reason, since }] : []),
      ...(path ? [{ ...all, kind: "job_path" as const, since: path.since }] : []),
    ]
  })
  return (await Promise.all(found)).flat()
}
