import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { cleanCopy } from "../helpers/clean-copy.ts"
import { runBot, runCommand } from "../helpers/process.ts"

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url))

test("whoever asks for help, or mistypes a process type, is told which there are", async () => {
  const helped = await runBot(["--help"], {})
  expect(helped).toMatchObject({ code: 0, output: expect.stringMatching(/web .*worker .*doctor/s) })
  const wrong = await runBot(["wrker"], {})
  expect(wrong.code).toBe(1)
  expect(wrong.output).toBe(`Unknown process type "wrker".\n${helped.output}`)
})

test.each(["web", "worker", "all", "doctor"])(
  "%s --help helps, and starts nothing",
  async (type) => {
    const helped = await runBot([type, "--help"], {})
    expect(helped).toMatchObject({
      code: 0,
      output: expect.stringMatching(/web .*worker .*doctor/s),
    })
  },
)

test("settings that stand in an .env file nobody read: the list of faults says how to read it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-env-"))
  try {
    await writeFile(join(folder, ".env"), "SLACK_BOT_TOKEN=xoxb-1\n")
    const unread = await runCommand(`node ${MAIN} web`, { cwd: folder, env: {} })
    expect(unread.code).toBe(1)
    expect(unread.output).toMatch(/SLACK_BOT_TOKEN is required/)
    expect(unread.output).toMatch(/was not read. Start with: node --env-file=.env/)
    const read = await runCommand(`node --env-file=.env ${MAIN} web`, { cwd: folder, env: {} })
    expect(read.output).not.toMatch(/was not read/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test("npm start before the first build says what to run", async () => {
  await using copy = await cleanCopy()
  const started = await runCommand("npm start", { cwd: copy.folder, env: {} })
  expect(started.code).toBe(1)
  expect(started.output).toContain("Run: npm run build")
  expect(started.output).not.toContain("MODULE_NOT_FOUND")
})
