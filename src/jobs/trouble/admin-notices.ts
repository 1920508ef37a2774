import { orSlackError, SlackError } from "../../errors/slack-error.ts"
import { adminNotice, runningAgain } from "../../messages/admin-notice.ts"
import type { Message } from "../../messages/blocks.ts"
import { UNTIL_WOKEN } from "../../runtime/alarm.ts"
import type { Log } from "../../runtime/log.ts"
import { key } from "../../store/keys.ts"
import { once } from "../../store/limits.ts"
import type { JobsDeps } from "../deps.ts"
import { BUSY, queueKeys } from "../keys.ts"
import type { PauseReason } from "../limit/outcome.ts"
import { readJobPath } from "./key-check.ts"
import { pauseOf } from "./pause.ts"

/** Time within which the bot repeats no notice: admins still remember the problem. */
const TOLD_MS = 30 * 86_400_000
/** Time after which another pass may send a notice, if a process died or Slack did not take it. */
const CLAIMED_MS = 60_000

/** The admins who have yet to hear that a project's pause is over. */
const toHear = (project: string) => key("paused", project)

/** A problem that a person must solve: a pause without an end, or a `DOCS_JOB_PATH` at which the bot finds no job. */
export interface Trouble {
  project: string
  kind: PauseReason | "job_path"
  since: number
}

interface Telling extends Pick<JobsDeps, "store" | "rules"> {
  outbound: Pick<JobsDeps["outbound"], "direct">
}

const SAYS = {
  job_path: "service finds none of the jobs it started; check DOCS_JOB_PATH",
  restored:
    "queue paused: nothing ran for more than an hour, or Redis was restored from a backup. An admin can resume it in Slack or drop the waiting requests",
  key_refused: "queue paused: API key rejected; replace it and restart",
  forbidden: "queue paused: API key can't start jobs; fix its permissions, then resume",
}

/** Reports each problem that needs a person once, to the log and to each admin. */
export async function adminNoticePass(deps: JobsDeps, log: Pick<Log, "error">): Promise<number> {
  const troubles = await openTroubles(deps)
  const ending = await Promise.all(deps.projectKeys.map((project) => tellEnd(deps, project)))
  for (const trouble of troubles) {
    const { project, kind, since } = trouble
    const about = `told:${project}:${kind === "job_path" ? "path:" : ""}${since}`
    const says = SAYS[kind === "rate_limited" || kind === "outage" ? "key_refused" : kind]
    await tellOnce(deps, about, {
      log: () => log.error({ project: deps.nameOf(project), reason: kind }, says),
      message: async (admin) => {
        if (kind !== "job_path") await deps.store.redis.sadd(toHear(project), admin)
        await deps.store.redis.pexpire(toHear(project), TOLD_MS)
        const { others, ...facts } = await factsOf(deps, trouble)
        return adminNotice({ ...facts, others: others.filter((one) => one !== admin) })
      },
    })
  }
  return troubles.length > 0 || ending.includes(true) ? deps.timing.careMs : UNTIL_WOKEN
}

/**
 * Tells the admins who heard of a pause that it is over, once its test request was accepted or nothing
 * waits. Returns true while any has yet to hear.
 */
async function tellEnd({ store, health, outbound, nameOf }: JobsDeps, project: string) {
  const { redis } = store
  const admins = await redis.smembers(toHear(project))
  if (admins.length === 0) return false
  const { until, reason } = await health.read(project)
  const isTested = reason === undefined || (await redis.sismember(BUSY, project)) === 0
  if (until === "ever" || !isTested) return true
  const message = runningAgain(nameOf(project), await redis.zcard(queueKeys(project).wait))
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
  if (await once(store, `${about}:log`, TOLD_MS)) log()
  for (const admin of admins) {
    const task = `${about}:${admin}`
    if (!(await once(store, task, CLAIMED_MS))) continue
    if (await mayHaveHeard(outbound, admin, await message(admin)))
      await store.redis.pexpire(key("once", task), TOLD_MS)
  }
}

/** If the admin certainly got no message, a later pass tries again. In doubt, one attempt is enough. */
async function mayHaveHeard({ direct }: Telling["outbound"], admin: string, message: Message) {
  const told = await direct(admin, message).catch(orSlackError)
  return !(told instanceof SlackError && told.verdict === "later")
}

export async function openTroubles(deps: JobsDeps): Promise<Trouble[]> {
  const found = await Promise.all(
    deps.projectKeys.map(async (project): Promise<Trouble[]> => {
      const [is, path] = await Promise.all([
        deps.health.read(project),
        readJobPath(deps.store.redis, project, deps.jobPath),
      ])
      const pause = pauseOf(is)
      const endless = pause && pause.until === undefined
      return [
        ...(endless ? [{ project, kind: pause.reason, since: pause.since }] : []),
        ...(path ? [{ project, kind: "job_path" as const, since: path.since }] : []),
      ]
    }),
  )
  return found.flat()
}

export type TroubleFacts = Awaited<ReturnType<typeof factsOf>>

/** Collects what a notice says. `waiting` counts requests; `others` are the admins who also get it. */
export async function factsOf(
  { store, rules, nameOf, docsHost, settingOf }: JobsDeps,
  { project, kind, since }: Trouble,
) {
  return {
    kind: kind === "rate_limited" || kind === "outage" ? ("key_refused" as const) : kind,
    project,
    projectName: nameOf(project),
    host: docsHost,
    setting: settingOf(project),
    waiting: await store.redis.zcard(queueKeys(project).wait),
    since,
    others: [...rules.admins] as readonly string[],
  }
}
