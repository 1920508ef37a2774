import type { StoreConfig } from "../config/config.ts"
import type { Log } from "../runtime/log.ts"
import type { Address } from "./connect.ts"
import { findRedisServer, INSTALL_REDIS } from "./embedded.ts"
import { EmbeddedStore } from "./embedded-store.ts"

/** Other processes report their creations to a Redis that lost its data within this time, ms. */
const COLD_MS = 10_000
/** A redis-server of our own, on this machine alone, is back with its clients sooner. Longer than `LOOKS.everyMs`. */
const COLD_EMBEDDED_MS = 5000

interface OpenStore {
  address: Address
  coldMs: number
  close(): Promise<void>
}

/**
 * Where Redis is for this process: as configured, else a redis-server of our own.
 * @param onDead called when that redis-server ended and cannot be started again
 * @throws Error saying how to get Redis when there is none.
 */
export async function openStore(
  config: StoreConfig,
  path: string | undefined,
  type: string,
  log: Log,
  onDead: (reason: string) => void,
): Promise<OpenStore> {
  if (config.kind !== "embedded") return { address: config, coldMs: COLD_MS, close: async () => {} }
  const binary = findRedisServer(path)
  if (!binary) throw new Error(`No Redis: set REDIS_URL, or ${INSTALL_REDIS}.`)
  const { dataDir } = config
  // Web and worker may share it; a lone process takes it along when it ends in good order.
  const store = await EmbeddedStore.open({ binary, dataDir, isAlone: type === "all", log, onDead })
  return {
    address: { kind: "socket", path: store.path },
    coldMs: COLD_EMBEDDED_MS,
    close: () => store.close(),
  }
}
