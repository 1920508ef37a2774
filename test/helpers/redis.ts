import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { findRedisServer } from "../../src/store/embedded-redis.ts"
import { startRedisInProcess } from "../sandbox/redis-in-process.ts"

export interface TestRedis extends AsyncDisposable {
  url: string
  flush: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts a Redis for one test file: redis-server from PATH, else an in-process one from npm. */
export async function startTestRedis(): Promise<TestRedis> {
  const binary = findRedisServer(process.env.PATH)
  return binary ? startServer(binary) : startInProcess()
}

/** In-process Redis of this worker: its interpreter for scripts takes a while to start. */
let inProcess: Promise<TestRedis> | undefined

/** Returns a Redis for one test file. Without redis-server, all files of a worker use the same. */
export async function redisForFile(): Promise<TestRedis> {
  const binary = findRedisServer(process.env.PATH)
  if (binary) return startServer(binary)
  inProcess ??= startInProcess()
  const shared = await inProcess
  return { ...shared, stop: shared.flush, [Symbol.asyncDispose]: shared.flush }
}

/** Starts one Redis for a file, empty before each test. @returns a getter to call within tests */
export function useRedis(): () => Redis {
  const running: { server?: TestRedis; client?: Redis } = {}
  beforeAll(async () => {
    running.server = await redisForFile()
    running.client = new Redis(running.server.url)
  })
  beforeEach(() => running.client?.flushall())
  afterAll(async () => {
    running.client?.disconnect()
    await running.server?.stop()
  })
  return () => {
    if (!running.client) throw new Error("Redis is not started yet")
    return running.client
  }
}

async function startServer(binary: string): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), "docs-agent-redis-"))
  const path = join(dir, "redis.sock")
  const args = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", dir]
  const child = spawn(binary, args, { stdio: "ignore" })
  while (!existsSync(path)) await delay(5)
  const stop = async () => {
    const gone = once(child, "exit")
    child.kill("SIGKILL")
    await gone
    await rm(dir, { recursive: true, force: true })
  }
  return { url: path, flush: () => flush(path), stop, [Symbol.asyncDispose]: stop }
}

async function startInProcess(): Promise<TestRedis> {
  const { url, close } = await startRedisInProcess()
  return { url, flush: () => flush(url), stop: close, [Symbol.asyncDispose]: close }
}

async function flush(url: string): Promise<void> {
  const client = new Redis(url)
  // The server may still be starting; the client retries.
  client.on("error", () => {})
  await client.flushall()
  client.disconnect()
}
