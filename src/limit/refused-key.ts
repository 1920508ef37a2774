import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import { isKeyFault, type KeyFault } from "../jobs/creation-outcome.ts"
import type { Job } from "../jobs/job.ts"
import { isFirst } from "../store/claims.ts"
import { key, WAKE_CHANNEL } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import { isEndless, isHeldFor, keyRefused, readAccepted } from "./pauses.ts"

/** Id that no job has: the service answers 404 if it accepts the key. */
const NO_JOB = "key-check"
/** Number of 404s, without any job found, after which admins hear of a wrong `DOCS_JOB_PATH`. */
const MISSES_TO_TELL = 3
const KEEP_MS = 30 * 86_400_000

const pathKey = (project: string, jobPath: string) => key("job-path", project, jobPath)

const mayProbe = ({ store, keyIdOf, timing }: Context, project: string) =>
  isFirst(store, `probe:${project}:${keyIdOf(project)}`, timing.probeMs)

/**
 * Learns from a poll's answer whether the service refuses the key, even while the bot creates
 * nothing. Also learns, if the bot never found any job, that `DOCS_JOB_PATH` is wrong and the jobs
 * are not gone.
 * @returns whether `DOCS_JOB_PATH` has found a job, so that a 404 is about the job itself
 */
export async function checkKeyAfterPoll(deps: Context, job: Job, answer: object) {
  const { project } = job
  if (answer instanceof DocsError) {
    if (isKeyFault(answer.fault)) await pauseIfRefused(deps, job, answer.fault)
    return answer.fault === "not_found" && isPathRight(deps, project)
  }
  deps.refusedReads.delete(project)
  const at = pathKey(project, deps.config.docs.jobPath)
  // Ends the expiry that earlier misses may have set, because a path that worked stays right.
  if (!deps.foundOnce.has(project))
    await deps.store.redis.multi().hset(at, "found", "1").persist(at).exec()
  deps.foundOnce.add(project)
  return true
}

/** Pauses the project only if the service refuses two jobs in a row, or also one that is none. */
async function pauseIfRefused(deps: Context, job: Job, fault: KeyFault): Promise<void> {
  const { project, agentJobId = NO_JOB } = job
  const isAlone = (deps.refusedReads.get(project) ?? agentJobId) === agentJobId
  deps.refusedReads.set(project, agentJobId)
  if (isAlone && !(await mayProbe(deps, project))) return
  const read = isAlone ? await readIsAccepted(deps, project, NO_JOB) : fault
  if (read === true || read === undefined) return
  const keyId = deps.keyIdOf(project)
  const paused = await deps.health.change(project, (is, now) => {
    // An admin still has to decide about restored data, whatever the key.
    if (isHeldFor(is, keyId) && (is.until !== "ever" || is.reason === "restored")) return undefined
    return keyRefused(is, { reason: read, keyId, until: "read", now })
  })
  if (paused) deps.events.paused(project, read)
}

/** Reads a job, known or not; undefined if the answer says nothing about the key. */
async function readIsAccepted({ docs }: Context, project: string, agentJobId: string) {
  const answer = await docs.getJob(project, agentJobId).catch(orDocsError)
  if (!(answer instanceof DocsError) || answer.fault === "not_found") return true
  return isKeyFault(answer.fault) ? answer.fault : undefined
}

async function isPathRight(deps: Context, project: string): Promise<boolean> {
  const { redis } = deps.store
  const at = pathKey(project, deps.config.docs.jobPath)
  if (deps.foundOnce.has(project) || (await redis.hexists(at, "found")) === 1) {
    deps.foundOnce.add(project)
    return true
  }
  await redis.hsetnx(at, "since", await deps.now())
  const seen = await redis.hincrby(at, "misses", 1)
  await redis.pexpire(at, KEEP_MS)
  // Publishes each time, because a message may get lost.
  if (seen >= MISSES_TO_TELL) await redis.publish(WAKE_CHANNEL, "troubles 0")
  return false
}

/**
 * Tests a project's key if its refusal pauses the project, or holds back this process while another
 * key is accepted. Resolves to whether it did.
 */
export async function probe(deps: Context, project: string): Promise<boolean> {
  const { health } = deps
  const is = await health.read(project)
  const keyId = deps.keyIdOf(project)
  const isPaused = isEndless(is.until) && isKeyFault(is.reason)
  if (!isPaused && !(is.reason === undefined && is.key === keyId)) return false
  if (!(await mayProbe(deps, project))) return true
  const read = await readIsAccepted(deps, project, deps.refusedReads.get(project) ?? NO_JOB)
  if (read === true) {
    deps.refusedReads.delete(project)
    const resumed = await health.change(project, (one, now) => readAccepted(one, { keyId, now }))
    if (resumed) deps.events.resumed(project)
  } else if (read !== undefined)
    await health.change(project, (one, now) =>
      isHeldFor(one, keyId) && one.until !== "read"
        ? keyRefused(one, { reason: read, keyId, until: "read", now })
        : undefined,
    )
  return true
}

export async function readJobPath(redis: RedisClient, project: string, jobPath: string) {
  const { found, misses, since } = await redis.hgetall(pathKey(project, jobPath))
  return found || Number(misses ?? 0) < MISSES_TO_TELL ? undefined : { since: Number(since ?? 0) }
}
