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
