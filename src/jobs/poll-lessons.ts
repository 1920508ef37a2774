import type { DocsApi } from "../docs/client.ts"
import { DocsError } from "../errors/docs-error.ts"
import { key, WAKE_CHANNEL } from "../store/keys.ts"
import { once } from "../store/limits.ts"
import type { RedisClient, Store } from "../store/script.ts"
import type { Job } from "./job.ts"
import type { KeyFault } from "./outcome.ts"
import { type HealthStore, isKeyFault, keyRefused, readAccepted } from "./pause.ts"

/** No job has this id: the answer to a key that is accepted is 404. */
const NO_JOB = "key-check"
/** A job is gone when it was not found this often in a row: once was seen right after a creation. */
const MISSES_TO_GONE = 2
/** Jobs that were just created are looked for this often in vain before it is called trouble. */
const MISSES_TO_TELL = 3
const KEEP_MS = 30 * 86_400_000

export type PollLessons = ReturnType<typeof createPollLessons>

interface LessonDeps {
  store: Store
  health: HealthStore
  docs: Pick<DocsApi, "getJob">
  /** Tells one key of a project from another. */
  printOf: (project: string) => string
  /** Tells one place where jobs are read from another. */
  pathPrint: string
  /** Between two reads for one project and key, ms. */
  probeMs: number
  now: () => Promise<number>
  onPause: (project: string, reason: KeyFault) => void
  onAccepted: (project: string) => void
}

/**
 * Learns from polls that the service refuses the key, also while nothing is created; and, where no job
 * was ever found, that `DOCS_JOB_PATH` is wrong rather than that each job is gone. A job that alone
 * cannot be read is that job's trouble: the project pauses when a read about no job in particular is
 * refused as well.
 */
export function createPollLessons(deps: LessonDeps) {
  const { health, docs, printOf } = deps
  const { redis } = deps.store
  const found = new Set<string>()
  const pathKey = (project: string) => jobPathKey(project, deps.pathPrint)

  const mayProbe = (project: string) =>
    once(deps.store, `probe:${project}:${printOf(project)}`, deps.probeMs)

  /** Undefined where the answer says nothing about the key. */
  async function readIsAccepted(project: string): Promise<true | KeyFault | undefined> {
    try {
      await docs.getJob(project, NO_JOB)
      return true
    } catch (error) {
      if (!(error instanceof DocsError)) throw error
      if (isKeyFault(error.fault)) return error.fault
      return error.fault === "not_found" ? true : undefined
    }
  }

  async function refused(project: string): Promise<void> {
    if (!(await mayProbe(project))) return
    const read = await readIsAccepted(project)
    if (read === true || read === undefined) return
    const print = printOf(project)
    const paused = await health.change(project, (is, now) => {
      if (is.until === "ever" && is.print === print && is.readsRefused) return undefined
      if (is.fine !== undefined && is.fine !== print && now < (is.rolling ?? 0)) return undefined
      return keyRefused(is, { reason: read, print, byRead: true, now })
    })
    if (paused) deps.onPause(project, read)
  }

  async function isGone({ project, misses }: Job): Promise<boolean> {
    if (found.has(project)) return misses + 1 >= MISSES_TO_GONE
    const known = await redis.hgetall(pathKey(project))
    if (known.found) {
      found.add(project)
      return misses + 1 >= MISSES_TO_GONE
    }
    await redis.hsetnx(pathKey(project), "since", await deps.now())
    const seen = await redis.hincrby(pathKey(project), "misses", 1)
    await redis.pexpire(pathKey(project), KEEP_MS)
    // Each time: a message may get lost.
    if (seen >= MISSES_TO_TELL) await redis.publish(WAKE_CHANNEL, "troubles 0")
    return false
  }

  return {
    /** Learns from one answer. @returns whether a job that is not found any more counts as gone */
    async heed(job: Job, answer: object): Promise<boolean> {
      const { project } = job
      if (answer instanceof DocsError) {
        if (isKeyFault(answer.fault)) await refused(project)
        return answer.fault === "not_found" ? isGone(job) : false
      }
      if (!found.has(project)) await redis.hset(pathKey(project), "found", "1")
      found.add(project)
      return false
    },

    /** Asks whether the service takes the key again, where a queue waits for that. True while one does. */
    async probe(project: string): Promise<boolean> {
      const { health: is } = await health.read(project)
      if (is.until !== "ever" || !isKeyFault(is.reason)) return false
      if (!(await mayProbe(project))) return true
      const read = await readIsAccepted(project)
      const print = printOf(project)
      if (read === true) {
        const resumed = await health.change(project, (one, now) =>
          readAccepted(one, { print, now }),
        )
        if (resumed) deps.onAccepted(project)
      } else if (read !== undefined)
        await health.change(project, (one) =>
          one.until === "ever" && one.print === print && !one.readsRefused
            ? { readsRefused: true }
            : undefined,
        )
      return true
    },

    /** Present while jobs are missed where none was ever found: `DOCS_JOB_PATH` may be wrong. `since`: ms */
    jobPath: (project: string) => readJobPath(redis, project, deps.pathPrint),
  }
}

function jobPathKey(project: string, path: string): string {
  return key("job-path", project, path)
}

/** Reads since when jobs are missed where none was ever found, ms; undefined where they are not. */
export async function readJobPath(
  redis: RedisClient,
  project: string,
  path: string,
): Promise<{ since: number } | undefined> {
  const { found, misses, since } = await redis.hgetall(jobPathKey(project, path))
  return found || Number(misses ?? 0) < MISSES_TO_TELL ? undefined : { since: Number(since ?? 0) }
}
