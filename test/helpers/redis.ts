import { Redis } from "ioredis"
import { beforeAll, beforeEach } from "vitest"
import { findRedisServer } from "../../src/store/embedded-redis.ts"
import { startRedisInProcess } from "../sandbox/redis-in-process.ts"
import { startRedisServer } from "./redis-server.ts"

interface TestRedis extends AsyncDisposable {
  url: string
  flush: () => Promise<unknown>
}

/** In-process Redis of this worker: its interpreter for scripts takes a while to start. */
let inProcess: Promise<TestRedis> | undefined

/**
 * Starts a redis-server from PATH. Without one, all who ask in a process get the same Redis from
 * npm, emptied for the next one.
 */
async function startTestRedis(): Promise<TestRedis> {
  if (findRedisServer(process.env.PATH)) {
    const server = await startRedisServer(["--appendonly", "no"], { port: 0 })
    return { ...server, flush: () => server.client.flushall() }
  }
  inProcess ??= startInProcess()
  const shared = await inProcess
  return { ...shared, [Symbol.asyncDispose]: async () => void (await shared.flush()) }
}

/** Starts one Redis for a file. @returns a getter to call within hooks and tests */
export function useTestRedis(): () => TestRedis {
  let server: TestRedis
  beforeAll(async () => {
    server = await startTestRedis()
    return () => server[Symbol.asyncDispose]()
  })
  return () => server
}

/** Starts one Redis for a file, empty before each test. @returns a getter of a connection */
export function useRedis(): () => Redis {
  const server = useTestRedis()
  let client: Redis
  beforeAll(() => {
    client = new Redis(server().url)
    return () => client.disconnect()
  })
  beforeEach(() => client.flushall())
  return () => client
}

async function startInProcess(): Promise<TestRedis> {
  const server = await startRedisInProcess()
  const client = new Redis(server.url)
  return {
    url: server.url,
    flush: () => client.flushall(),
    [Symbol.asyncDispose]: () => server.close(),
  }
}
