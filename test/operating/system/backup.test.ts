import { execFileSync, spawn } from "node:child_process"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { Redis } from "ioredis"
import { expect, test } from "vitest"
import { COMMANDS, readDocument, sectionOf } from "../../helpers/documents.ts"
import { runBot } from "../../helpers/process.ts"
import { startRedisServer } from "../../helpers/redis-server.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { startOtherParties } from "../../sandbox/test-bed.ts"

/** Commands of the document, block by block: to back up, to restore and to delete everything. */
function commands(): [string, string, string] {
  const section = sectionOf(readDocument(".github/OPERATIONS.md"), "Backup and restore")
  const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block)
  const known = COMMANDS.filter((command) => command.startsWith("redis-"))
  for (const command of known) expect(blocks.join("\n")).toContain(command)
  expect(blocks).toHaveLength(3)
  return blocks as [string, string, string]
}

test("the commands to back up, restore and delete do so, and leave other programs' keys", async () => {
  const folder = await temporaryFolder()
  const [backup, restore, deletion] = commands()
  await using redis = await startRedisServer()
  await redis.client.mset({ "{da}:job:a b": "1", "{da}:team": "T1", "another program's": "1" })
  const sh = (text: string) =>
    execFileSync("sh", ["-ec", text], {
      cwd: folder,
      env: { ...process.env, REDIS_URL: redis.url },
      encoding: "utf8",
    })
  sh(backup)
  expect(sh(deletion).trim()).toBe("2")
  expect(await redis.client.keys("*")).toEqual(["another program's"])

  await cp(join(folder, "docs-agent.rdb"), join(folder, "dump.rdb"))
  const own = (text: string) =>
    text
      .replace("/var/lib/redis", `${folder} --port 0 --unixsocket ${folder}/r.sock`)
      .replaceAll("redis-cli ", `redis-cli -s ${folder}/r.sock `)
  for (const [n, line] of own(restore).trim().split("\n").entries()) {
    if (n > 0) await expect.poll(() => sh(`${line} || true`)).toMatch(n === 1 ? /OK/ : /:0/)
    else sh(line)
  }
  const args = ["--dir", folder, "--port", "0", "--unixsocket", join(folder, "r.sock")]
  const server = spawn("redis-server", [...args, "--appendonly", "yes"], { stdio: "ignore" })
  const again = new Redis({ path: join(folder, "r.sock"), retryStrategy: () => 50 })
  again.on("error", () => {})
  await expect.poll(() => again.get("{da}:team").catch(() => "")).toBe("T1")
  expect(await again.dbsize()).toBe(3)
  again.disconnect()
  server.kill("SIGKILL")
})

test("OPS-6: resume and drop answer from a shell while Slack is away", async () => {
  await using redis = await startRedisServer()
  const { env, ...parties } = await startOtherParties()
  await parties[Symbol.asyncDispose]()
  const all = { ...env, REDIS_URL: redis.url }
  for (const [command, says] of [
    ["resume", "docs: the queue wasn't paused."],
    ["drop", "docs: dropped 0 requests."],
  ] as const) {
    const { code, output } = await runBot([command], all)
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(says) })
  }
  const away = await runBot(["resume"], { ...all, REDIS_URL: "redis://127.0.0.1:1" })
  expect(away).toEqual({ code: 1, output: expect.stringMatching(/isn't responding.*REDIS_URL/s) })
})
