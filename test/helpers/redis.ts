import { Redis, type RedisOptions } from "ioredis"
import { beforeAll, beforeEach } from "vitest"
import { findRedisServer } from "../../src/store/embedded-redis.ts"
import { startRedisInProcess } from "../sandbox/redis-in-process.ts"
import { startRedisServer } from "./redis-server.ts"

interface TestRedis {
  url: string
  flush: () => Promise<unknown>
}

/** In-process Redis of this worker: its interpreter for scripts takes a while to start. */
let inProcess: Promise<TestRedis> | undefined

/**
 * Starts one redis-server from PATH for a file. Without it, all files of a process get the same Redis
 * from npm, emptied for the next one. @returns a getter to call within hooks and tests
 */
export function useTestRedis(): () => TestRedis {
  let redis: TestRedis
  beforeAll(async () => {
    if (!findRedisServer(process.env.PATH)) {
      inProcess ??= startInProcess()
      redis = await inProcess
      return async () => void (await redis.flush())
    }
    const server = await startRedisServer(["--appendonly", "no"], { port: 0 })
    redis = { ...server, flush: () => server.client.flushall() }
    return () => server[Symbol.asyncDispose]()
  })
  return () => redis
}

/** Starts one Redis for a file, empty before each test. @returns a getter of a connection */
export function useRedis(options: RedisOptions = {}): () => Redis {
  const server = useTestRedis()
  let client: Redis
  beforeAll(() => {
    client = new Redis(server().url, options)
    return () => client.disconnect()
  })
  beforeEach(() => client.flushall())
  return () => client
}

async function startInProcess(): Promise<TestRedis> {
  const { url } = await startRedisInProcess()
  const client = new Redis(url)
  return { url, flush: () => client.flushall() }
}
