import { existsSync } from "node:fs"
import { cp, symlink, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { cleanCopy } from "../../helpers/clean-copy.ts"
import { RUN_BY } from "../../helpers/documents.ts"
import { launch, runCommand, startInTerminal } from "../../helpers/process.ts"
import { reading } from "../../helpers/reading.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"
import { startOtherParties } from "../../sandbox/test-bed.ts"

/** Returns the path of the Redis of the sandbox with this address. */
const socketOf = (folder: string, url: string) =>
  join(folder, `sandbox-${new URL(url).port}`, "redis.sock")

/** Starts the sandbox as `npm run sandbox` does, and waits for its address or its end. */
async function start(args: string[], env: Record<string, string> = {}) {
  const folder = await temporaryFolder()
  const all = { DATA_DIR: folder, NODE_OPTIONS: "--import tsx", ...env }
  const sandbox = launch(args, all, "test/sandbox/start.ts")
  // An orderly end: if killed, it would leave its redis-server behind.
  onTestFinished(() => void sandbox.kill("SIGINT"))
  const opened = await sandbox.says(/^Open /).catch(() => "")
  return { folder, sandbox, url: opened.replace("Open ", "") }
}

test("the sandbox prints one address, last, and Ctrl-C ends everything it started", async () => {
  const { folder, sandbox, url } = await start(["--port", "0"])
  expect(sandbox.output.match(/.*http:\/\/.*/g)).toEqual([`Open ${url}`])
  expect((await fetch(url)).status).toBe(200)
  expect(existsSync(socketOf(folder, url))).toBe(true)

  // The terminal and npm each pass a Ctrl-C on.
  void sandbox.kill("SIGINT")

  expect(await sandbox.kill("SIGINT")).toBe(0)
  expect(existsSync(socketOf(folder, url))).toBe(false)
  await expect(fetch(url)).rejects.toThrow()
})

// npm passes a signal only to its shell, which doesn't pass it on.
test.each(["SIGHUP", "SIGTERM"] as const)(
  "%s to npm alone ends everything that it started",
  async (signal) => {
    const folder = await temporaryFolder()
    const place = { cwd: process.cwd(), env: { DATA_DIR: folder } }
    const command = "exec npm run sandbox -- --port 0"
    await using npm = await startInTerminal(command, place, /(?<=^Open )http:\S+/)
    expect(existsSync(socketOf(folder, npm.read))).toBe(true)

    await npm.kill(signal)

    expect(existsSync(socketOf(folder, npm.read))).toBe(false)
    await expect(fetch(npm.read)).rejects.toThrow()
  },
)

test("without redis-server it says that nothing survives, and works over Socket Mode", async () => {
  const { sandbox, url } = await start(["--port", "0", "--socket"], { PATH: "" })
  expect(sandbox.output).toContain("nothing survives a restart")
  expect(sandbox.output).toContain("Socket Mode")
  const said = await fetch(`${url}/api/say`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ as: "ada", channel: "docs", text: "/docs-agent help" }),
  })
  expect(await said.text()).toContain("Ask for a docs change and get a pull request to review")
})

test("a port that is taken is named, and a closed terminal ends everything too", async () => {
  const folder = await temporaryFolder()
  const { sandbox, url } = await start(["--port", "0"], {
    DATA_DIR: relative(process.cwd(), folder),
  })
  const { port } = new URL(url)
  expect(sandbox.output).toContain(`Data: ${join(folder, `sandbox-${port}`)}`)
  expect(sandbox.output).toContain("npm run sandbox -- --help")
  const second = await start(["--port", port])
  expect(second.sandbox.output).toContain(`Port ${port} is already in use`)

  expect(await sandbox.kill("SIGHUP")).toBe(0)
  expect(existsSync(socketOf(folder, url))).toBe(false)
})

test("in a folder that Vite can't read, it says to move the clone", async () => {
  const clone = join(await temporaryFolder(), "C# docs")
  for (const name of ["package.json", "src", "test", ".github"])
    await cp(name, join(clone, name), { recursive: true })
  await symlink(join(process.cwd(), "node_modules"), join(clone, "node_modules"))
  const { code, output } = await runCommand("npm run sandbox", { cwd: clone, env: {} })
  expect(code).toBe(1)
  expect(output).toMatch(/\nMove the clone: Vite can't read .*C# docs\/, because of its #\.\n/)
})

test("an argument it does not know ends it with a word on it", async () => {
  const { sandbox } = await start(["--nonsense"])
  expect(await sandbox.gone).toBe(1)
  expect(sandbox.output).toContain("--nonsense")
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
  await using sandbox = await startInTerminal(command, place, /(?<=open only here, under )\S+/)
  await slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  const card = await reading({ slack, docs }).botSays(/Pull request ready/)
  const shown = JSON.stringify(card.blocks)
  expect(shown).toContain("*Sandbox*")
  expect(shown).toMatch(/\|on-the-sandbox-machine\/docs#\d+>/)
  const [link = ""] = shown.match(/http:[^|"]+\/pull\/\d+/) ?? []
  expect(link.startsWith(`${sandbox.read}/on-the-sandbox-machine/docs/`)).toBe(true)
  expect((await fetch(link)).status).toBe(200)
  expect([docs.jobs(env.DOCS_PROJECT_ID ?? ""), slack.violations]).toEqual([[], []])
})
