import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import { beforeAll, beforeEach } from "vitest"
import { findRedisServer } from "../../src/store/embedded-redis.ts"
import { startRedisInProcess } from "../sandbox/redis-in-process.ts"

export interface TestRedis extends AsyncDisposable {
  url: string
  flush: () => Promise<void>
}

/** Starts a Redis of its own: redis-server from PATH, else an in-process one from npm. */
export async function startTestRedis(): Promise<TestRedis> {
  const binary = findRedisServer(process.env.PATH)
  return binary ? startServer(binary) : startInProcess()
}

/** In-process Redis of this worker: its interpreter for scripts takes a while to start. */
let inProcess: Promise<TestRedis> | undefined

/** Returns a Redis for one test file. Without redis-server, all files of a worker use the same. */
async function redisForFile(): Promise<TestRedis> {
  const binary = findRedisServer(process.env.PATH)
  if (binary) return startServer(binary)
  inProcess ??= startInProcess()
  const shared = await inProcess
  return { ...shared, [Symbol.asyncDispose]: shared.flush }
}

/** Starts one Redis for a file. @returns a getter to call within hooks and tests */
export function useTestRedis(): () => TestRedis {
  let server: TestRedis
  beforeAll(async () => {
    server = await redisForFile()
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

async function startServer(binary: string): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), "docs-agent-redis-"))
  const path = join(dir, "redis.sock")
  const args = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", dir]
  const child = spawn(binary, args, { stdio: "ignore" })
  while (!existsSync(path)) await delay(5)
  return {
    url: path,
    flush: () => flush(path),
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit")
      child.kill("SIGKILL")
      await gone
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function startInProcess(): Promise<TestRedis> {
  const { url, close } = await startRedisInProcess()
  return { url, flush: () => flush(url), [Symbol.asyncDispose]: close }
}

async function flush(url: string): Promise<void> {
  const client = new Redis(url)
  // The server may still be starting; the client retries.
  client.on("error", () => {})
  await client.flushall()
  client.disconnect()
}
