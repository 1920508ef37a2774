import { resolve } from "node:path"
import { Redis } from "ioredis"
import type { StoreConfig } from "../config/config.ts"
import { secret } from "../config/secret.ts"
import type { Log } from "../runtime/log.ts"
import type { Address } from "./connect.ts"
import { findRedisServer, INSTALL_REDIS, socketPath, startEmbeddedRedis } from "./embedded.ts"

/** Time in ms within which running workers report their creations to a Redis that lost its data. */
const COLD_MS = 10_000
/** Same time for the bot's own redis-server: clients reconnect sooner, but check only every 4 s. */
const COLD_EMBEDDED_MS = 5000

/**
 * Opens Redis for this process: the configured one, otherwise a redis-server of the bot's own.
 * Keeps that one running for as long as this process needs it: restarts it from its file if it
 * dies. Every process that uses the server watches it, because the one that started it may be gone
 * by then.
 * @param onDead called if that redis-server ended and the bot cannot restart it
 * @throws Error that says how to get Redis if there is none
 */
export async function openStore(
  config: StoreConfig,
  path: string | undefined,
  type: string,
  log: Log,
  onDead: (reason: string) => void,
): Promise<{ address: Address; coldMs: number; close: () => Promise<void> }> {
  if (config.kind !== "embedded") return { address: config, coldMs: COLD_MS, close: async () => {} }
  const binary = findRedisServer(path)
  if (!binary) throw new Error(`No Redis: set REDIS_URL, or ${INSTALL_REDIS}.`)
  // Web and worker may share the server; only a process that is both shuts it down when it ends.
  const isAlone = type === "all"
  const { dataDir } = config
  const socket = socketPath(dataDir)
  const data = resolve(dataDir)
  const start = () => startEmbeddedRedis(binary, dataDir)
  let isOurs = await start()
  const end = isAlone ? "stops with this process" : "keeps running after this process stops"
  log.info(
    { data, stop: `redis-cli -s ${socket} shutdown` },
    isOurs ? `started redis-server; it ${end}` : "using the redis-server that is already running",
  )
  let isClosing = false
  let watch = connect()

  function connect(): Redis {
    const client = new Redis({ path: socket, retryStrategy: () => null })
    client.on("error", () => {})
    client.once("end", () => {
      if (!isClosing) void startAgain()
    })
    return client
  }

  async function startAgain(): Promise<void> {
    log.error({ data }, "redis-server stopped; restarting it")
    try {
      isOurs = (await start()) || isOurs
      watch = connect()
    } catch (error) {
      onDead(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    address: { kind: "server", url: secret(socket) },
    coldMs: COLD_EMBEDDED_MS,
    async close() {
      isClosing = true
      // A server that shuts down does not answer the command.
      if (isAlone && isOurs) await watch.shutdown().catch(() => {})
      watch.disconnect()
    },
  }
}
