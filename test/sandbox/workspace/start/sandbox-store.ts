import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Redis } from "ioredis"
import type { Log } from "../../../../src/lib/log.ts"
import { secret } from "../../../../src/lib/secrets.ts"
import type { Address } from "../../../../src/store/connect.ts"
import {
  findRedisServer,
  openStore,
  type StoreConfig,
  socketPath,
} from "../../../../src/store/embedded-redis.ts"

export interface SandboxStore {
  readonly address: Address
  /** Folder of the bot's memory outside of the store, which outlasts the bot's restarts. */
  readonly dataDir: string
  /** Description for people. */
  readonly words: string
  close(): Promise<void>
}

/**
 * Opens the store in `REDIS_URL`, else a redis-server of our own, else one inside this process. The
 * folder has a name, such as the port, so that two sandboxes can run at the same time.
 */
export async function openSandboxStore(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  log: Log,
): Promise<SandboxStore> {
  const configured = configuredStore(env.REDIS_URL)
  const dataDir = resolve(env.DATA_DIR || ".data", `sandbox-${name}`)
  // A store that starts empty has nothing to do with what was sent before.
  if (configured === undefined) await rm(join(dataDir, "sent"), { recursive: true, force: true })
  if (configured === undefined && findRedisServer(env.PATH) === undefined) return inProcess(dataDir)
  const config = configured ?? { kind: "embedded" as const, dataDir }
  const store = await openStore(config, env.PATH, "all", log, (reason) => {
    throw new Error(reason)
  })
  const { address } = store
  if (configured !== undefined) {
    return { address, dataDir, words: "in the Redis at REDIS_URL", close: () => store.close() }
  }
  const path = socketPath(dataDir)
  // The other services start empty: earlier requests would point to messages that are gone.
  await tellRedis(path, (redis) => redis.flushall())
  return {
    address,
    dataDir,
    words: `${dataDir}, in a redis-server of its own that stops with the sandbox`,
    async close() {
      await store.close()
      // Only we can stop a redis-server that an earlier sandbox left when it was killed.
      if (existsSync(path)) await tellRedis(path, (redis) => redis.shutdown())
    },
  }
}

function configuredStore(redisUrl: string | undefined): StoreConfig | undefined {
  const urls = (redisUrl ?? "").split(",").flatMap((url) => url.trim() || [])
  const [first, ...others] = urls
  if (first === undefined) return undefined
  return others.length === 0
    ? { kind: "server", url: secret(first) }
    : { kind: "cluster", urls: urls.map(secret) }
}

async function tellRedis(path: string, what: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis({ path, retryStrategy: () => null })
  redis.on("error", () => {})
  // A server that shuts down sends no reply.
  await what(redis).catch(() => {})
  redis.disconnect()
}

async function inProcess(dataDir: string): Promise<SandboxStore> {
  const { startRedisInProcess } = await import("../../redis-in-process.ts")
  const redis = await startRedisInProcess()
  return {
    address: { kind: "server", url: secret(redis.url) },
    dataDir,
    words: "in this process, because there's no redis-server on PATH; nothing survives a restart",
    close: () => redis.close(),
  }
}
