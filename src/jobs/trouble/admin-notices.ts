import { orSlackError, SlackError } from "../../errors/slack-error.ts"
import { adminNotice } from "../../messages/admin-notice.ts"
import type { Message } from "../../messages/blocks.ts"
import { UNTIL_WOKEN } from "../../runtime/alarm.ts"
import type { Log } from "../../runtime/log.ts"
import { key } from "../../store/keys.ts"
import { once } from "../../store/limits.ts"
import type { JobsDeps } from "../deps.ts"
import { queueKeys } from "../keys.ts"
import type { PauseReason } from "../limit/outcome.ts"
import { readJobPath } from "./key-check.ts"
import { pauseOf } from "./pause.ts"

/** Time within which the bot repeats no notice: admins still remember the problem. */
const TOLD_MS = 30 * 86_400_000
/** Time after which another pass may send a notice, if a process died or Slack did not take it. */
const CLAIMED_MS = 60_000

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
  job_path: "the service can't find any of the jobs it started; check DOCS_JOB_PATH",
  restored:
    "the queue is paused: nothing ran for more than an hour, or Redis was restored from a backup. An admin can resume it in Slack or drop the waiting requests",
  key_refused: "the queue is paused: the API key was rejected; replace it and restart",
  forbidden: "the queue is paused: the API key can't start jobs; fix its permissions, then resume",
}

/** Reports each problem that needs a person once, to the log and to each admin. */
export async function adminNoticePass(deps: JobsDeps, log: Pick<Log, "error">): Promise<number> {
  const troubles = await openTroubles(deps)
  for (const trouble of troubles) {
    const { project, kind, since } = trouble
    const about = `told:${project}:${kind === "job_path" ? "path:" : ""}${since}`
    const says = SAYS[kind === "rate_limited" || kind === "outage" ? "key_refused" : kind]
    await tellOnce(deps, about, {
      log: () => log.error({ project: deps.nameOf(project), reason: kind }, says),
      message: async (admin) => {
        const { others, ...facts } = await factsOf(deps, trouble)
        return adminNotice({ ...facts, others: others.filter((one) => one !== admin) })
      },
    })
  }
  return troubles.length > 0 ? deps.timing.careMs : UNTIL_WOKEN
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
    const told = await outbound.direct(admin, await message(admin)).catch(orSlackError)
    // If the admin certainly got no message, a later pass tries again. In doubt, one attempt is
    // enough.
    if (!(told instanceof SlackError && told.verdict === "later"))
      await store.redis.pexpire(key("once", task), TOLD_MS)
  }
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
