import type { Redis } from "ioredis"
import { jobKeys, queueKeys } from "../../src/jobs/job-keys.ts"
import { newId } from "../../src/jobs/request-types.ts"
import { type openQueue, PROJECT } from "../helpers/waiting.ts"

/** Time in ms from a job's creation to its deletion, when no process can still settle it. */
const KEPT_MS = 4000

/**
 * Keeps thousands of requests waiting. Each is a copy of one that was made in the usual way: making
 * a request takes longer than creating its job, and a million records would not fit into memory.
 */
export class Crowd {
  readonly #redis: Redis
  readonly #queue: ReturnType<typeof openQueue>
  readonly #keys = queueKeys(PROJECT)
  #original = ""
  #tag = "0"
  #ended: { id: string; at: number }[] = []

  constructor(redis: Redis, queue: ReturnType<typeof openQueue>) {
    this.#redis = redis
    this.#queue = queue
  }

  ended(id: string): void {
    this.#ended.push({ id, at: performance.now() })
  }

  /** Fills the queue to this length, and deletes jobs that ended a while ago. */
  async fill(length: number): Promise<void> {
    if (this.#original === "") await this.#askOnce()
    const work = this.#redis.pipeline()
    const until = performance.now() - KEPT_MS
    const old = this.#ended.findIndex(({ at }) => at > until)
    for (const { id } of this.#ended.splice(0, Math.max(0, old)))
      work.unlink(jobKeys.record(id), jobKeys.words(id))
    // Removes the schedules: nothing polls these jobs or posts about them.
    work.del(...(["polls", "outbox", "sessions"] as const).map((kind) => jobKeys.schedule(kind)))
    for (let n = await this.#redis.zcard(this.#keys.wait); n < length; n += 1) {
      const id = newId()
      work.copy(jobKeys.record(this.#original), jobKeys.record(id))
      work.copy(jobKeys.words(this.#original), jobKeys.words(id))
      work.zadd(this.#keys.wait, this.#tag, id)
    }
    await work.exec()
  }

  async #askOnce(): Promise<void> {
    const [id = ""] = await this.#queue.ask("U1")
    this.#original = id
    this.#tag = (await this.#redis.zscore(this.#keys.wait, id)) ?? "0"
    await this.#redis.zrem(this.#keys.wait, id)
  }
}
