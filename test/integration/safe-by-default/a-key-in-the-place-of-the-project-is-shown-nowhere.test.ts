import { expect, test } from "vitest"
import { runDoctor } from "../../../src/doctor/run.ts"
import { docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"

/** API key without a prefix that would give it away as a key. */
const KEY = "0a1b2c3d4e5f60718293"
const PROJECT = "docs-site"
const testBed = useTestBed()

test.each([
  ["the key, and the key the project", KEY, PROJECT],
  ["another key", KEY, "1f2e3d4c5b6a79808182"],
])("a project ID that is %s: log, metrics, doctor and Slack never show it", async (_, id, key) => {
  const lines: string[] = []
  const h = await testBed({
    docs: { projects: [{ id: PROJECT, key: KEY }] },
    env: { DOCS_PROJECT_ID: id, DOCS_API_KEY: key, ADMIN_USERS: CLEO, LOG_LEVEL: "debug" },
    log: { write: (line: string) => void lines.push(line) },
  })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the install page")
  await docsUntil(h, ({ requests }) => requests.length > 0)
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "7d")
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "project=none fix the install page")
  await toldPrivately(h, ADA, /no project/)
  await h.slack.until((slack) => slack.calls.some(({ method }) => method === "chat.update"))
  const metrics = await fetch(`http://127.0.0.1:${h.bot.port}/metrics`)
  const places = {
    log: lines.join(""),
    metrics: await metrics.text(),
    slack: JSON.stringify(h.slack.calls),
    doctor: (await runDoctor({ ...h.env }, { json: true })).output,
  }
  expect(places.metrics).toContain('project="DOCS_PROJECT_ID"')
  for (const [place, text] of Object.entries(places))
    expect({ place, isShown: text.includes(KEY) }).toEqual({ place, isShown: false })
})

test("a project is named once the service has taken its ID, and at the next start at once", async () => {
  const lines: string[] = []
  const h = await testBed({ log: { write: (line: string) => void lines.push(line) } })
  const labels = async () => {
    const text = await (await fetch(`http://127.0.0.1:${h.bot.port}/metrics`)).text()
    return new Set([...text.matchAll(/project="([^"]*)"/g)].map(([, name]) => name))
  }
  expect(await labels()).toContain("DOCS_PROJECT_ID")
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the install page")
  await docsUntil(h, ({ creations }) => creations.length > 0)
  await expect.poll(labels).toContain(PROJECT)
  await h.restartBot()
  await expect.poll(labels).toContain(PROJECT)
})
