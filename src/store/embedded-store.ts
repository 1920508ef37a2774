import { Redis } from "ioredis"
import type { Log } from "../runtime/log.ts"
import { type EmbeddedRedis, startEmbeddedRedis } from "./embedded.ts"

interface EmbeddedStoreOptions {
  binary: string
  dataDir: string
  /** No other process of the bot uses it. */
  isAlone: boolean
  log: Log
  onDead: (reason: string) => void
}

/**
 * A redis-server of the bot's own for as long as a process needs it: one that dies is started again on
 * its file. Every process that uses it watches, as the one that started it may be gone by then.
 */
export class EmbeddedStore {
  readonly path: string
  readonly #options: EmbeddedStoreOptions
  #redis: EmbeddedRedis
  #watch: Redis
  #closing = false

  private constructor(redis: EmbeddedRedis, options: EmbeddedStoreOptions) {
    this.#redis = redis
    this.#options = options
    this.path = redis.path
    this.#watch = this.#connect()
  }

  /** @throws Error when it does not come up. */
  static async open(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
    const redis = await startEmbeddedRedis(options.binary, options.dataDir)
    const { log, isAlone } = options
    const until = isAlone && redis.started ? "this process stops" : "it is shut down"
    log.info(
      { data: redis.dir, stop: `redis-cli -s ${redis.path} shutdown` },
      redis.started
        ? `started an embedded redis-server; it runs until ${until}`
        : "using the embedded redis-server that is already running",
    )
    return new EmbeddedStore(redis, options)
  }

  /** The data stays in the append-only file. */
  async close(): Promise<void> {
    this.#closing = true
    if (this.#options.isAlone && this.#redis.started)
      // A server that ends does not answer.
      await this.#watch.shutdown().catch(() => {})
    this.#watch.disconnect()
  }

  /** A connection that nobody uses: its end is the server's. */
  #connect(): Redis {
    const client = new Redis({ path: this.path, retryStrategy: () => null })
    client.on("error", () => {})
    client.once("end", () => {
      if (!this.#closing) void this.#startAgain()
    })
    return client
  }

  async #startAgain(): Promise<void> {
    const { binary, dataDir, log, onDead } = this.#options
    log.error({ data: this.#redis.dir }, "the embedded redis-server stopped; restarting it")
    try {
      const { started } = await startEmbeddedRedis(binary, dataDir)
      this.#redis = { ...this.#redis, started: started || this.#redis.started }
      this.#watch = this.#connect()
    } catch (error) {
      onDead(error instanceof Error ? error.message : String(error))
    }
  }
}
