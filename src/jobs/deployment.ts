import { DAY_MS } from "../lib/time.ts"
import { claimKey } from "../store/claims.ts"
import { key, WAKE_CHANNEL } from "../store/redis-keys.ts"
import { currentTime, type RedisClient, type Store } from "../store/script.ts"
import { TROUBLES } from "./job-keys.ts"

/** Time in ms after which the bot asks a deployment again, because operators upgrade services. */
const LACKING_MS = DAY_MS
/** Number of 404s, without any job found, after which admins hear of a wrong `DOCS_JOB_PATH`. */
const MISSES_TO_TELL = 3
const MISSES_KEPT_MS = 30 * DAY_MS

const jobPathKey = (project: string, jobPath: string) => key("job-path", project, jobPath)

/** Time in ms for which a 403 is remembered that may be about a request's words. */
const FORBIDDEN_MS = DAY_MS

const forbiddenKey = (queue: string) => key("forbidden", queue)

/**
 * Knows what the service's answers have shown of its deployment: in Redis about the paths of the
 * settings and about requests, and while this process runs about reads. One answer proves little: a
 * gateway may reject a request's words, and a job may be gone.
 */
export class Deployment {
  readonly #store: Store
  /** `DOCS_JOB_PATH` and `DOCS_MESSAGE_PATH`; what other paths answered does not count. */
  readonly #paths: { jobPath: string; messagePath: string | undefined }
  /** Projects for which `DOCS_JOB_PATH` has found a job. */
  readonly #rightPaths = new Set<string>()
  /** Job by project that could not be read last. */
  readonly #refusedReads = new Map<string, string>()

  constructor(store: Store, paths: { jobPath: string; messagePath: string | undefined }) {
    this.#store = store
    this.#paths = paths
  }

  /** Returns whether follow-ups can go as messages, as far as the bot knows. */
  async offersMessages(project: string): Promise<boolean> {
    if (this.#paths.messagePath === undefined) return false
    return (await this.#store.redis.exists(this.#lackingKey(project))) === 0
  }

  async lacksMessages(project: string): Promise<void> {
    await this.#store.redis.set(this.#lackingKey(project), "1", "PX", LACKING_MS)
  }

  /** Notes that `DOCS_JOB_PATH` has found a job, so that a later 404 is about the job itself. */
  async foundJob(project: string): Promise<void> {
    this.readAccepted(project)
    if (this.#rightPaths.has(project)) return
    const at = jobPathKey(project, this.#paths.jobPath)
    // Ends the expiry that earlier misses may have set, because a path that worked stays right.
    await this.#store.redis.multi().hset(at, "found", "1").persist(at).exec()
    this.#rightPaths.add(project)
  }

  /** Notes a 404. Returns whether it is about the job itself. */
  async missedJob(project: string): Promise<boolean> {
    const { redis } = this.#store
    const at = jobPathKey(project, this.#paths.jobPath)
    if (this.#rightPaths.has(project) || (await redis.hexists(at, "found")) === 1) {
      this.#rightPaths.add(project)
      return true
    }
    await redis.hsetnx(at, "since", await currentTime(this.#store))
    const misses = await redis.hincrby(at, "misses", 1)
    await redis.pexpire(at, MISSES_KEPT_MS)
    // Publishes each time, because a message may get lost.
    if (misses >= MISSES_TO_TELL) await redis.publish(WAKE_CHANNEL, `${TROUBLES} 0`)
    return false
  }

  /** Notes a refused read. Returns whether no other job of the project was refused before it. */
  readRefused(project: string, job: string): boolean {
    const isAlone = (this.#refusedReads.get(project) ?? job) === job
    this.#refusedReads.set(project, job)
    return isAlone
  }

  readAccepted(project: string): void {
    this.#refusedReads.delete(project)
  }

  lastRefusedRead(project: string): string | undefined {
    return this.#refusedReads.get(project)
  }

  /**
   * Notes a 403. Returns whether only this request is suspect: a gateway may reject its words. If
   * two different requests are refused in a row, whichever workers sent them, the key is at fault.
   * Never throws: without Redis, the request alone is refused.
   */
  async requestForbidden(queue: string, request: string): Promise<boolean> {
    const suspect = forbiddenKey(queue)
    try {
      const isAlone = await claimKey(this.#store, suspect, FORBIDDEN_MS, request)
      if (!isAlone) await this.#store.redis.del(suspect)
      return isAlone
    } catch {
      return true
    }
  }

  /** Notes that the service took a request, or refused its words otherwise. Never throws. */
  async requestAnswered(queue: string): Promise<void> {
    await this.#store.redis.del(forbiddenKey(queue)).catch(() => {})
  }

  #lackingKey(project: string): string {
    return key("operation", project, "message", this.#paths.messagePath ?? "")
  }
}

/** Resolves to since when `DOCS_JOB_PATH` finds no job; undefined if it does or may do so. */
export async function readJobPath(redis: RedisClient, project: string, jobPath: string) {
  const { found, misses, since } = await redis.hgetall(jobPathKey(project, jobPath))
  return found || Number(misses ?? 0) < MISSES_TO_TELL ? undefined : { since: Number(since ?? 0) }
}
