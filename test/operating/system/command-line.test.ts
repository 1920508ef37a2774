import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { cleanCopy } from "../../helpers/clean-copy.ts"
import { toSocketMode } from "../../helpers/manifest.ts"
import { runBot, runCommand, startByCommand } from "../../helpers/process.ts"
import { startProcessBed } from "../../helpers/process-bed.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { readManifest } from "../../sandbox/manifest.ts"

const MAIN = fileURLToPath(new URL("../../../dist/main.js", import.meta.url))

test("whoever asks for help, or mistypes a command, is told which there are", async () => {
  const helped = await runBot(["--help"], {})
  expect(helped).toMatchObject({ code: 0, output: expect.stringMatching(/web .*worker .*doctor/s) })
  expect(await runBot(["worker", "--help"], {})).toEqual(helped)
  const wrong = await runBot(["wrker"], {})
  expect(wrong.code).toBe(1)
  expect(wrong.output).toBe(`Unknown command "wrker".\n${helped.output}`)
})

test.each([
  [["--bogus"], "Unknown option '--bogus'."],
  [["doctor", "now"], 'Unknown argument "now".'],
  [["manifest", "--host", "https://bot.example/"], "--host takes a host name"],
])("%j is refused", async (args, says) => {
  const { code, output } = await runBot(args, {})
  expect(code).toBe(1)
  expect(output.startsWith(says)).toBe(true)
})

test("--version is that of the package", async () => {
  const { version } = JSON.parse(await readFile("package.json", "utf8"))
  expect(await runBot(["--version"], {})).toEqual({ code: 0, output: `${version}\n` })
})

test("the bot listens on every interface, and with BIND_ADDRESS on that one alone", async () => {
  await using bed = await startProcessBed()
  // An address of this machine other than that of BIND_ADDRESS.
  const healthz = (port: number) => fetch(`http://127.0.0.2:${port}/healthz`)
  await expect(healthz((await bed.start("worker")).port)).rejects.toThrow("fetch failed")
  bed.env.BIND_ADDRESS = ""
  expect((await healthz((await bed.start("worker")).port)).status).toBe(200)
})

describe("the hooks of the Slack CLI", () => {
  const hook = (name: string, env = {}) =>
    runCommand(`node .slack/hooks.js ${name}`, { cwd: process.cwd(), env })

  test("get-hooks names the others, and says that the bot connects by itself", async () => {
    const { output } = await hook("get-hooks")
    expect(JSON.parse(output)).toMatchObject({
      hooks: { "get-manifest": expect.any(String), start: expect.any(String) },
      config: { "sdk-managed-connection-enabled": true },
    })
  })

  test("get-manifest prints the one for Socket Mode and nothing else, whatever the CLI adds", async () => {
    const { code, output } = await hook("get-manifest --manifest")
    expect(code).toBe(0)
    expect(JSON.parse(output)).toEqual(toSocketMode(readManifest()))
  })

  test("start runs the bot with the tokens that the CLI hands it", async () => {
    await using bed = await startProcessBed({ mode: "socket", env: { PORT: "0" } })
    const { SLACK_BOT_TOKEN = "", SLACK_APP_TOKEN = "", ...others } = bed.env
    const tokens = { SLACK_CLI_XOXB: SLACK_BOT_TOKEN, SLACK_CLI_XAPP: SLACK_APP_TOKEN }
    const place = { cwd: process.cwd(), env: { ...others, ...tokens } }
    await using bot = await startByCommand("node .slack/hooks.js start", place)
    await bot.says(/"msg":"started"/)
    expect(bed.slack.sockets.open).toBeGreaterThan(0)
    expect(await bot.kill("SIGTERM")).toBe(0)
  })
})

test("settings that stand in an .env file nobody read: the list of faults says how to read it", async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, ".env"), "SLACK_BOT_TOKEN=xoxb-1\n")
  const unread = await runCommand(`node ${MAIN} web`, { cwd: folder, env: {} })
  expect(unread.code).toBe(1)
  expect(unread.output).toMatch(/SLACK_BOT_TOKEN is required/)
  expect(unread.output).toMatch(/wasn't read. Run: node --env-file=.env dist\/main.js all\n$/)
  const doctor = await runCommand(`node ${MAIN} doctor`, { cwd: folder, env: {} })
  expect(doctor.output).toMatch(/wasn't read. Run: node --env-file=.env dist\/main.js doctor\n/)
  const read = await runCommand(`node --env-file=.env ${MAIN} web`, { cwd: folder, env: {} })
  expect(read.output).not.toMatch(/wasn't read/)
  // Docker and Compose read the file themselves.
  const passedOn = { cwd: folder, env: { SLACK_BOT_TOKEN: "xoxb-1" } }
  expect((await runCommand(`node ${MAIN} web`, passedOn)).output).not.toMatch(/wasn't read/)
})

test("npm start before the first build says what to run", async () => {
  await using copy = await cleanCopy()
  const started = await runCommand("npm start", { cwd: copy.folder, env: {} })
  expect(started.code).toBe(1)
  expect(started.output).toContain("Run: npm run build")
  expect(started.output).not.toContain("MODULE_NOT_FOUND")
})
