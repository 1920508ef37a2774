import { join } from "node:path"
import { Redis } from "ioredis"
import type { StoreConfig } from "../../../config/config.ts"
import { secret } from "../../../config/secret.ts"
import type { Address } from "../../../redis/connect.ts"
import { findRedisServer } from "../../../redis/embedded.ts"
import type { Log } from "../../../runtime/log.ts"
import { openStore } from "../../../store.ts"

export interface SandboxStore {
  readonly address: Address
  /** In words for people. */
  readonly words: string
  close(): Promise<void>
}

/**
 * The store that `REDIS_URL` names, else a redis-server of our own, else one inside this process.
 * Two sandboxes at a time have a folder each, by their port.
 */
export async function openSandboxStore(
  env: Readonly<Record<string, string | undefined>>,
  options: { port: number; fresh: boolean },
  log: Log,
): Promise<SandboxStore> {
  const configured = configuredStore(env.REDIS_URL)
  if (configured === undefined && findRedisServer(env.PATH) === undefined) return inProcess()
  const dataDir = join(env.DATA_DIR || ".data", `sandbox-${options.port}`)
  const config = configured ?? { kind: "embedded" as const, dataDir }
  const store = await openStore(config, env.PATH, "all", log)
  // A Redis that somebody else configured is not ours to empty.
  if (options.fresh && store.address.kind === "socket") await empty(store.address.path)
  const words = configured ? "the one REDIS_URL names" : `a redis-server of its own in ${dataDir}`
  return { address: store.address, words, close: () => store.close() }
}

function configuredStore(redisUrl: string | undefined): StoreConfig | undefined {
  const urls = (redisUrl ?? "").split(",").flatMap((url) => url.trim() || [])
  const [first, ...others] = urls
  if (first === undefined) return undefined
  return others.length === 0
    ? { kind: "server", url: secret(first) }
    : { kind: "cluster", urls: urls.map(secret) }
}

async function empty(path: string): Promise<void> {
  const redis = new Redis({ path })
  await redis.flushall()
  redis.disconnect()
}

async function inProcess(): Promise<SandboxStore> {
  const { createRedisMock } = await import("js-redis-server")
  const redis = await createRedisMock()
  return {
    address: { kind: "server", url: secret(`redis://${redis.host}:${redis.port}`) },
    words: "inside this process, as there is no redis-server on PATH: nothing survives a restart",
    close: () => redis.close(),
  }
}
