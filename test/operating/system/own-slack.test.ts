import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cleanCopy } from "../../helpers/clean-copy.ts"
import { RUN_BY } from "../../helpers/documents.ts"
import { runCommand, startInTerminal } from "../../helpers/process.ts"
import { botSays } from "../../helpers/reading.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"
import { startOtherParties } from "../../sandbox/test-bed.ts"

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
  const [command] = RUN_BY["test/operating/system/own-slack.test.ts"]
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
