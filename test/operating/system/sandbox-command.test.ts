import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findRedisServer } from "../../../src/store/embedded-redis.ts"
import { cleanCopy } from "../../helpers/clean-copy.ts"
import { RUN_BY } from "../../helpers/documents.ts"
import { runCommand, startInTerminal } from "../../helpers/process.ts"
import { botSays } from "../../helpers/reading.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"
import { startOtherParties } from "../../sandbox/test-bed.ts"

const started: { folder?: string; ends: (() => Promise<unknown>)[] } = { ends: [] }

beforeEach(async () => {
  started.folder = await mkdtemp(join(tmpdir(), "sandbox-"))
})

afterEach(async () => {
  await Promise.all(started.ends.splice(0).map((end) => end()))
  if (started.folder) await rm(started.folder, { recursive: true, force: true })
})

/** Starts the sandbox as `npm run sandbox` does, and reads its output up to the address. */
async function start(args: readonly string[], env: Record<string, string> = {}) {
  const command = ["--import", "tsx", "test/sandbox/start.ts", ...args]
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, DATA_DIR: started.folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = once(child, "exit")
  // An orderly end: if killed, it would leave its redis-server behind.
  started.ends.push(() => {
    child.kill("SIGINT")
    return ended
  })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on("line", (line) => lines.push(line))
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith("Open ")) break
  }
  const url = /http:\S+/.exec(lines.at(-1) ?? "")?.[0] ?? ""
  return { child, ended, lines, url }
}

test("the sandbox prints one address, last, and Ctrl-C ends everything it started", async () => {
  const { child, ended, lines, url } = await start(["--port", "0"])
  expect(lines.filter((line) => line.includes("http://"))).toEqual([`Open ${url}`])
  expect((await fetch(url)).status).toBe(200)
  const socket = join(started.folder ?? "", `sandbox-${new URL(url).port}`, "redis.sock")
  expect(existsSync(socket)).toBe(findRedisServer(process.env.PATH) !== undefined)

  child.kill("SIGINT")
  // The terminal and npm each pass a Ctrl-C on.
  child.kill("SIGINT")

  expect(await ended).toEqual([0, null])
  expect(existsSync(socket)).toBe(false)
  await expect(fetch(url)).rejects.toThrow()
})

// npm passes a signal only to its shell, which doesn't pass it on.
test.each(["SIGHUP", "SIGTERM"] as const)(
  "%s to npm alone ends everything that it started",
  async (signal) => {
    const child = spawn("npm", ["run", "sandbox", "--", "--port", "0"], {
      env: { ...process.env, DATA_DIR: started.folder },
      stdio: ["ignore", "pipe", "ignore"],
      // A separate process group, so that a failed test can end all of it.
      detached: true,
    })
    const closed = once(child.stdout, "close")
    started.ends.push(async () => {
      if (child.pid && !child.stdout.closed) process.kill(-child.pid, "SIGINT")
      await closed
    })
    const url = await new Promise<string>((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const [, open] = /^Open (http:\S+)/.exec(line) ?? []
        if (open) resolve(open)
      })
    })
    const socket = join(started.folder ?? "", `sandbox-${new URL(url).port}`, "redis.sock")
    expect(existsSync(socket)).toBe(findRedisServer(process.env.PATH) !== undefined)

    child.kill(signal)

    await closed
    expect(existsSync(socket)).toBe(false)
    await expect(fetch(url)).rejects.toThrow()
  },
)

test("without redis-server it says that nothing survives, and works over Socket Mode", async () => {
  const { lines, url } = await start(["--port", "0", "--socket"], { PATH: "" })
  expect(lines.join("\n")).toContain("nothing survives a restart")
  expect(lines.join("\n")).toContain("Socket Mode")
  const said = await fetch(`${url}/api/say`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ as: "ada", channel: "docs", text: "/docs-agent help" }),
  })
  expect(await said.text()).toContain("Ask for a docs change and get a pull request to review")
})

test("a port that is taken is named, and a closed terminal ends everything too", async () => {
  const folder = started.folder ?? ""
  const { child, ended, lines, url } = await start(["--port", "0"], {
    DATA_DIR: relative(process.cwd(), folder),
  })
  const { port } = new URL(url)
  const data = join(folder, `sandbox-${port}`)
  const hasRedis = findRedisServer(process.env.PATH) !== undefined
  expect(lines.join("\n").includes(`Data: ${data}`)).toBe(hasRedis)
  expect(lines.join("\n")).toContain("npm run sandbox -- --help")
  const second = await start(["--port", port])
  expect(second.lines.join("\n")).toContain(`Port ${port} is already in use`)

  child.kill("SIGHUP")

  expect(await ended).toEqual([0, null])
  expect(existsSync(join(data, "redis.sock"))).toBe(false)
})

test("in a folder that Vite can't read, it says to move the clone", async () => {
  const clone = join(started.folder ?? "", "C# docs")
  for (const name of ["package.json", "src", "test", ".github"])
    await cp(name, join(clone, name), { recursive: true })
  await symlink(join(process.cwd(), "node_modules"), join(clone, "node_modules"))
  const { code, output } = await runCommand("npm run sandbox", { cwd: clone, env: {} })
  expect(code).toBe(1)
  expect(output).toMatch(/\nMove the clone: Vite can't read .*C# docs\/, because of its #\.\n/)
})

test("an argument it does not know ends it with a word on it", async () => {
  const { lines, ended } = await start(["--nonsense"])
  expect(await ended).toEqual([1, null])
  expect(lines.join("\n")).toContain("--nonsense")
})

/** Address at which a connection would show that a real setting was used. */
const NOT_TO_BE_CALLED = "http://127.0.0.1:9"

test("the sandbox in one's own Slack: tokens are enough, and cards and links say what they are", async () => {
  await using parties = await startOtherParties({ mode: "socket" })
  const { slack, docs, env } = parties
  await using copy = await cleanCopy()
  const data = await temporaryFolder()
  // The settings of a real installation are left alone, but for Slack's.
  const settings = {
    SLACK_BOT_TOKEN: env.SLACK_BOT_TOKEN,
    SLACK_APP_TOKEN: env.SLACK_APP_TOKEN,
    SLACK_API_URL: env.SLACK_API_URL,
    DOCS_API_URL: NOT_TO_BE_CALLED,
    DOCS_API_KEY: "svc_real",
    DOCS_PROJECT_ID: "real",
    REDIS_URL: "redis://127.0.0.1:9",
    GITHUB_TOKEN: "real",
    DATA_DIR: data,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  const place = { cwd: copy.folder, env: { START_DELAY_SECONDS: "0" } }
  const [command] = RUN_BY["test/operating/system/sandbox-command.test.ts"]
  const without = await runCommand(command, place)
  expect(without.output).toMatch(/SLACK_BOT_TOKEN and SLACK_APP_TOKEN .*\.env.*slack run/)
  await writeFile(join(copy.folder, ".env"), lines.join(""))
  const sandbox = await startInTerminal(command, place, /links in Slack open only here, under \S+/)
  try {
    const [url = "none"] = /http:\S+/.exec(sandbox.read) ?? []
    await slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
    const card = await botSays({ slack }, /Pull request ready/)
    const shown = JSON.stringify(card.blocks)
    expect(shown).toContain("*Sandbox*")
    expect(shown).toMatch(/\|on-the-sandbox-machine\/docs#\d+>/)
    const [link = ""] = shown.match(/http:[^|"]+\/pull\/\d+/) ?? []
    expect(link.startsWith(`${url}/on-the-sandbox-machine/docs/`)).toBe(true)
    expect((await fetch(link)).status).toBe(200)
    expect([docs.jobs(env.DOCS_PROJECT_ID ?? ""), slack.violations]).toEqual([[], []])
  } finally {
    await sandbox.interrupt()
  }
})
