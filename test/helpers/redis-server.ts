import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import { EPOCH } from "../../src/jobs/job-keys.ts"
import { findRedisServer } from "../../src/store/embedded-redis.ts"
import { listen } from "../sandbox/kit/http-server.ts"

export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>

/** Starts a redis-server from PATH. @param port 0: a socket in place of a port; absent: a free one */
export async function startRedisServer(
  args: readonly string[] = [],
  { port: wanted, password }: { port?: number; password?: string } = {},
) {
  const binary = findRedisServer(process.env.PATH)
  if (!binary) throw new Error("These tests need redis-server on PATH")
  const dir = await mkdtemp(join(tmpdir(), "docs-agent-redis-"))
  const port = wanted ?? (await freePort())
  const path = join(dir, "redis.sock")
  const where = port === 0 ? ["--unixsocket", path] : ["--bind", "127.0.0.1"]
  const options = ["--port", String(port), ...where, "--dir", dir, "--save", ""]
  const aof = ["--appendonly", "yes", "--appendfsync", "everysec"]
  const secured = password ? ["--requirepass", password, "--masterauth", password] : []
  const all = [...options, ...aof, ...secured, ...args]
  const launch = () => spawn(binary, all, { stdio: "ignore" })
  let child: ChildProcess = launch()
  const client = new Redis({
    ...(port === 0 ? { path } : { port }),
    ...(password ? { password } : {}),
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  })
  client.on("error", () => {})
  await untilUp(client)
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, "exit")
    child.kill("SIGKILL")
    await gone
  }
  return {
    url: port === 0 ? path : `redis://${password ? `:${password}@` : ""}127.0.0.1:${port}`,
    port,
    /** Connection for the test itself; closed with the server. */
    client,
    kill: end,
    async restart() {
      child = launch()
      await untilUp(client)
    },
    /** Sends SIGSTOP: connections stay open, but no command gets a reply. */
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    async [Symbol.asyncDispose]() {
      client.disconnect()
      await end()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Skips the ten seconds in which an empty Redis grants nothing: no process could report. */
export async function letGrant(client: Redis): Promise<void> {
  const run = /run_id:(\w+)/.exec(await client.info("server"))?.[1] ?? ""
  await client.set(EPOCH, `0 ${run}`)
}

/** Waits until the server has loaded its data; until then it refuses every command. */
async function untilUp(client: Redis): Promise<void> {
  while ((await client.ping().catch(() => "")) !== "PONG") await delay(10)
}

async function freePort(): Promise<number> {
  const { url, close } = await listen(0, () => {})
  await close()
  return Number(new URL(url).port)
}
