import { setTimeout as delay } from "node:timers/promises"
import type { RedisServer } from "../../helpers/redis-server.ts"
import { processFacts } from "./process-facts.ts"

export interface RedisCounts {
  /** Times Redis read from a connection: commands sent together count once. */
  reads: number
  cpuMs: number
}

export async function redisCounts({ client, pid }: RedisServer): Promise<RedisCounts> {
  const reads = /total_reads_processed:(\d+)/.exec(await client.info("stats"))?.[1]
  return { reads: Number(reads), cpuMs: processFacts(pid).cpuMs }
}

/** Bytes that the server's data and its bookkeeping take. */
export async function usedMemory({ client }: Pick<RedisServer, "client">): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1])
}

/** Time that the server has spent in scripts so far, µs. */
export async function scriptTime({ client }: Pick<RedisServer, "client">): Promise<number> {
  return Number(/cmdstat_evalsha:.*usec=(\d+)/.exec(await client.info("commandstats"))?.[1])
}

/** Forgets everything, and waits for what Redis does about it in the background. */
export async function emptied({ client }: RedisServer): Promise<void> {
  await client.flushall()
  while (/(aof_rewrite_in_progress|lazyfree_pending_objects):[1-9]/.test(await client.info()))
    await delay(50)
}
