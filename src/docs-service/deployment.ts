import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"

/** Time in ms after which the bot asks a deployment again, because operators upgrade services. */
const REMEMBERED_MS = 24 * 3_600_000

/** Knows whether a deployment takes follow-ups as messages: for a day, what it was found to lack. */
export class MessageSupport {
  readonly #redis: RedisClient
  readonly #path: string | undefined

  /** @param path `DOCS_MESSAGE_PATH`; what another path answered does not count */
  constructor(redis: RedisClient, path: string | undefined) {
    this.#redis = redis
    this.#path = path
  }

  async isOffered(project: string): Promise<boolean> {
    return this.#path !== undefined && (await this.#redis.exists(this.#key(project))) === 0
  }

  async learnedAbsent(project: string): Promise<void> {
    await this.#redis.set(this.#key(project), "1", "PX", REMEMBERED_MS)
  }

  #key(project: string): string {
    return key("operation", project, "message", this.#path ?? "")
  }
}

/**
 * Remembers what the service's answers have shown of its settings while this process ran. One
 * answer proves little: a gateway may reject a request's words, and a job may be gone.
 */
export class Evidence {
  /** Projects for which `DOCS_JOB_PATH` has found a job. */
  readonly #rightPaths = new Set<string>()
  /** Job by project that could not be read last. */
  readonly #refusedReads = new Map<string, string>()
  /** Job by queue whose creation got a 403, until another one is answered otherwise. */
  readonly #forbidden = new Map<string, string>()

  foundJob(project: string): void {
    this.#rightPaths.add(project)
  }

  hasFoundJob(project: string): boolean {
    return this.#rightPaths.has(project)
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
   * two different requests are refused in a row, the key is at fault.
   */
  requestForbidden(queue: string, job: string): boolean {
    const isAlone = (this.#forbidden.get(queue) ?? job) === job
    if (isAlone) this.#forbidden.set(queue, job)
    else this.#forbidden.delete(queue)
    return isAlone
  }

  requestAnswered(queue: string): void {
    this.#forbidden.delete(queue)
  }
}
