import type { AgentJob } from "../docs-service/docs-api.ts"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import { projectOf } from "../jobs/job-keys.ts"
import { isKeyFault, type KeyFault } from "../jobs/pause-record.ts"
import { UNTIL_WOKEN } from "../lib/loop.ts"
import { isFirst } from "../store/claims.ts"
import { isEndless, isHeldFor, keyRefused, readAccepted, resumed } from "./pauses.ts"

/** Id that no job has: the service answers 404 if it accepts the key. */
const NO_JOB = "key-check"

const mayProbe = ({ store, settings }: Context, project: string) =>
  isFirst(store, `probe:${project}:${settings.projects.keyIdOf(project)}`, settings.timing.probeMs)

/**
 * Learns from a poll's answer whether the service refuses the key, even while the bot creates
 * nothing. Also learns, if the bot never found any job, that `DOCS_JOB_PATH` is wrong and the jobs
 * are not gone.
 * `isPathRight` says whether the path has found a job, so that a 404 is about the job itself.
 */
export async function learnFromPoll(context: Context, job: Job, answer: AgentJob | DocsError) {
  const { project } = job
  const { deployment } = context.docs
  if (!(answer instanceof DocsError)) {
    await deployment.foundJob(project)
    return { isPathRight: true }
  }
  if (isKeyFault(answer.fault)) await pauseIfRefused(context, job, answer.fault)
  return { isPathRight: answer.fault === "not_found" && (await deployment.missedJob(project)) }
}

/** Pauses the project only if the service refuses two jobs in a row, or also one that is none. */
async function pauseIfRefused(context: Context, job: Job, fault: KeyFault): Promise<void> {
  const { project, agentJobId = NO_JOB } = job
  const isAlone = context.docs.deployment.readRefused(project, agentJobId)
  if (isAlone && !(await mayProbe(context, project))) return
  const read = isAlone ? await tryReading(context, project, NO_JOB) : fault
  if (read === "accepted" || read === "unclear") return
  const keyId = context.settings.projects.keyIdOf(project)
  const paused = await context.health.change(project, (latest, now) => {
    // An admin still has to decide about restored data, whatever the key.
    if (isHeldFor(latest, keyId) && (latest.until !== "ever" || latest.reason === "restored"))
      return undefined
    return keyRefused(latest, { reason: read, keyId, until: "read", now })
  })
  if (paused) context.events.paused(project, read)
}

/** Answer of the service to a key; `unclear` if it is about something else, as a 500 is. */
type KeyVerdict = "accepted" | KeyFault | "unclear"

/** Tries the key on a job, known or not. */
async function tryReading(
  { docs }: Context,
  project: string,
  agentJobId: string,
): Promise<KeyVerdict> {
  const answer = await docs.api.getJob(project, agentJobId).catch(orDocsError)
  if (!(answer instanceof DocsError) || answer.fault === "not_found") return "accepted"
  return isKeyFault(answer.fault) ? answer.fault : "unclear"
}

/** Returns whether the service answers a read, which costs nothing, even if it refuses it. */
async function isServiceWell({ docs }: Context, project: string): Promise<boolean> {
  const answer = await docs.api.getJob(project, NO_JOB).catch(orDocsError)
  return !(answer instanceof DocsError) || (answer.status !== undefined && answer.status < 500)
}

/**
 * Ends the pause after one attempt without an answer at once, if the service answers a free read.
 * After a second in a row the pause stands, so that not each request that waits ends as unclear.
 */
export async function endOutage(context: Context, queue: string): Promise<void> {
  if (!(await isServiceWell(context, projectOf(queue)))) return
  await context.health.change(queue, (latest, now) =>
    latest.reason === "outage" && latest.tries === 1 ? resumed(latest, now) : undefined,
  )
}

/** Tests the keys that were refused. Returns the wait until the next pass, in ms. */
export async function keyPass(context: Context): Promise<number> {
  const { projects, timing } = context.settings
  const waiting = await Promise.all(projects.keys.map((project) => probe(context, project)))
  return waiting.includes(true) ? Math.min(timing.careMs, timing.probeMs) : UNTIL_WOKEN
}

/**
 * Tests a project's key if its refusal pauses the project, or holds back this process while another
 * key is accepted. Resolves to whether it did.
 */
async function probe(context: Context, project: string): Promise<boolean> {
  const { health, docs } = context
  const before = await health.read(project)
  const keyId = context.settings.projects.keyIdOf(project)
  const isPaused = isEndless(before.until) && isKeyFault(before.reason)
  if (!isPaused && !(before.reason === undefined && before.key === keyId)) return false
  if (!(await mayProbe(context, project))) return true
  const known = docs.deployment.lastRefusedRead(project) ?? NO_JOB
  const read = await tryReading(context, project, known)
  if (read === "accepted") {
    docs.deployment.readAccepted(project)
    const isResumed = await health.change(project, (latest, now) =>
      readAccepted(latest, { keyId, now }),
    )
    if (isResumed) context.events.resumed(project)
  } else if (read !== "unclear")
    await health.change(project, (latest, now) =>
      isHeldFor(latest, keyId) && latest.until !== "read"
        ? keyRefused(latest, { reason: read, keyId, until: "read", now })
        : undefined,
    )
  return true
}
