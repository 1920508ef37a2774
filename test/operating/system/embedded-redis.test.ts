import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findRedisServer } from "../../../src/store/embedded-redis.ts"
import { launch, runBot } from "../../helpers/process.ts"
import { type ProcessBed, startProcessBed } from "../../helpers/process-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

let dataDir: string
let bed: ProcessBed

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "docs agent #data-"))
  bed = await startProcessBed({ env: { REDIS_URL: "", DATA_DIR: dataDir, LOG_LEVEL: "info" } })
})
afterEach(async () => {
  await bed[Symbol.asyncDispose]()
  const redis = new Redis({ path: socket(), retryStrategy: () => null })
  redis.on("error", () => {})
  await redis.shutdown("NOSAVE").catch(() => {})
  redis.disconnect()
  await rm(dataDir, { recursive: true, force: true })
})

const socket = () => join(dataDir, "redis.sock")

async function serverPid(): Promise<number> {
  const redis = new Redis({ path: socket() })
  const [, pid = ""] = /process_id:(\d+)/.exec(await redis.info("server")) ?? []
  redis.disconnect()
  return Number(pid)
}

test("OPS-13: the embedded Redis says where its data is and how to stop it, and both are true", async () => {
  const bot = await bed.start("web")
  const line = JSON.parse(await bot.says(/started redis-server/))
  expect(line.data).toBe(dataDir)
  expect(line.msg).toMatch(/it keeps running after this process stops/)
  // No other user on the machine may connect.
  expect(statSync(socket()).mode & 0o077).toBe(0)
  expect(await bot.kill("SIGTERM")).toBe(0)
  expect(existsSync(socket())).toBe(true)
  execFileSync("sh", ["-c", line.stop])
  expect(existsSync(socket())).toBe(false)
})

// A closed terminal sends SIGHUP, which redis-server ignores.
test.each(["SIGINT", "SIGHUP"] as const)(
  "of a bot that runs alone it ends with the bot, and says so: %s",
  async (signal) => {
    const bot = await bed.start("all")
    const line = JSON.parse(await bot.says(/started redis-server/))
    expect(line.msg).toMatch(/it stops with this process/)
    expect(await bot.kill(signal)).toBe(0)
    expect(existsSync(socket())).toBe(false)
  },
)

test("none is left behind by a start that fails", async () => {
  // An address reserved for documentation (RFC 5737), which no machine has.
  const failed = await runBot(["all"], { ...bed.env, BIND_ADDRESS: "192.0.2.1" })
  expect(failed).toMatchObject({
    code: 1,
    output: expect.stringMatching(/BIND_ADDRESS isn't an address of this machine/),
  })
  expect(existsSync(socket())).toBe(false)
})

test("none is left behind by a bot that is stopped while it starts one", async () => {
  const slow = join(dataDir, "redis-server")
  const script = `#!/bin/sh\nsleep 1\nexec ${findRedisServer(process.env.PATH)} "$@"\n`
  await writeFile(slow, script, { mode: 0o755 })
  const bot = launch(["all"], { ...bed.env, PATH: `${dataDir}:${process.env.PATH}` })
  await expect.poll(() => readdirSync(dataDir)).toHaveLength(2)
  expect(await bot.kill("SIGTERM")).toBe(0)
  await delay(1500)
  expect(readdirSync(dataDir)).not.toContain("redis.sock")
  expect(readdirSync(dataDir).filter((name) => name.startsWith("starting"))).toEqual([])
})

test("one that dies ends the bot, and the next start goes on with its file", async () => {
  const bot = await bed.start("all")
  const { slack, docs } = bed
  docs.planAll({ ending: "pull_request", afterMs: 50 })
  await slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  const closing = () => bed.botMessages().find(({ threadTs }) => threadTs !== undefined)
  await slack.until(closing, { timeoutMs: 60_000 })
  process.kill(await serverPid(), "SIGKILL")
  await bot.says(/redis-server stopped/)
  await bed.start("all")
  const { shown } = await slack.as(ADA).slash(DOCS, "/docs-agent", "status")
  expect(shown?.text).toContain("fix the quickstart")
})

test("two processes that start at the same time share one redis-server", async () => {
  // Lock left behind by a process that was killed while it started a redis-server.
  await symlink("999999999", join(dataDir, "starting.lock"))
  await Promise.all([bed.start("web"), bed.start("worker")])
  const log = await readFile(join(dataDir, "redis.log"), "utf8")
  expect(log.match(/Server initialized/g)).toHaveLength(1)
})

test("OPS-7: a full disk and a killed bot: its redis-server stays the only one, and the doctor says why", async () => {
  // Files of the server can't grow beyond 100 blocks, as on a full disk.
  const limited = `#!/bin/sh\ntrap "" XFSZ\nulimit -f 100\nexec ${findRedisServer(process.env.PATH)} "$@"\n`
  await writeFile(join(dataDir, "redis-server"), limited, { mode: 0o755 })
  bed.env.PATH = `${dataDir}:${process.env.PATH}`
  const first = await bed.start("all")
  await first.kill("SIGKILL")
  const redis = new Redis({ path: socket(), maxRetriesPerRequest: 1 })
  const full = async () => redis.set("filling", "x".repeat(40_000)).then(String, String)
  await expect.poll(full).toMatch(/MISCONF/)
  redis.disconnect()

  const again = await bed.start("all")
  expect(await again.says(/not ready yet/)).toContain("Redis can't save to its disk")
  const { output } = await runBot(["doctor"], bed.env)
  expect(output).toMatch(/fault +redis +Redis can't save to its disk.*\n +→ Free disk space/)
  const log = await readFile(join(dataDir, "redis.log"), "utf8")
  expect(log.match(/Server initialized/g)).toHaveLength(1)
})
