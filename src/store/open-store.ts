import { resolve } from "node:path"
import type { StoreConfig } from "../config/config.ts"
import { secret } from "../config/secret.ts"
import type { Log } from "../lib/log.ts"
import type { Address } from "./connect.ts"
import {
  findRedisServer,
  INSTALL_REDIS,
  socketPath,
  startEmbeddedRedis,
  watchEmbedded,
} from "./embedded-redis.ts"

/**
 * Opens Redis for this process: the configured one, otherwise a redis-server of the bot's own.
 * @param onDead called if that redis-server ends
 * @throws Error that says how to get Redis if there is none
 */
export async function openStore(
  config: StoreConfig,
  path: string | undefined,
  type: string,
  log: Log,
  onDead: (reason: string) => void,
): Promise<{ address: Address; close: () => Promise<void> }> {
  if (config.kind !== "embedded") return { address: config, close: async () => {} }
  const binary = findRedisServer(path)
  if (!binary) throw new Error(`No Redis: set REDIS_URL, or ${INSTALL_REDIS}.`)
  // Web and worker may share the server; only a process that is both shuts it down when it ends.
  const isAlone = type === "all"
  const { dataDir } = config
  const socket = socketPath(dataDir)
  const data = resolve(dataDir)
  const isOurs = await startEmbeddedRedis(binary, dataDir)
  const until = isAlone ? "stops with this process" : "keeps running after this process stops"
  log.info(
    { data, stop: `redis-cli -s ${socket} shutdown` },
    isOurs ? `started redis-server; it ${until}` : "using the redis-server that is already running",
  )
  const stopWatching = watchEmbedded(dataDir, onDead)
  return {
    address: { kind: "server", url: secret(socket) },
    close: () => stopWatching({ stopsServer: isAlone && isOurs }),
  }
}
