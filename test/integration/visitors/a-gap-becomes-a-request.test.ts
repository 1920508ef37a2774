import { expect, test } from "vitest"
import { botMessages, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { CANARIES } from "../../sandbox/docs-service/analytics/canaries.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ docs: { analytics: { conversationsPerDay: 200 } } })

async function gaps(h: TestBed) {
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "gaps 30d")
  return toldPrivately(h, ADA, /What readers didn't find/)
}

/** The buttons that stand beside the gaps, in order; their value says which. */
function gapsIn(message: { blocks: unknown }): { words: string; index: number }[] {
  const blocks = JSON.parse(JSON.stringify(message.blocks)) as {
    accessory?: object
    text?: { text: string }
  }[]
  return blocks
    .filter(({ accessory }) => accessory !== undefined)
    .map(({ text }, index) => ({ words: text?.text ?? "", index }))
}

test("a gap becomes a job with its evidence in the prompt, and status shows it", async () => {
  const h = await testBed()
  const message = await gaps(h)
  const scim = gapsIn(message).find(({ words }) => /scim provisioning/i.test(words))
  const asked = /in ([\d,]+) conversations/.exec(scim?.words ?? "")?.[1]?.replace(",", "")
  await h.slack.as(ADA).click(message, "gaps_ask", { index: scim?.index ?? -1 })
  const modal = await h.slack.until((s) => s.modal(ADA))
  expect(JSON.stringify(modal.payload)).toContain("Readers asked the docs assistant")
  await h.slack.as(ADA).submitModal()
  await docsUntil(h, (docs) => docs.creations.length === 1)
  const prompt = h.docs.creations[0]?.prompt ?? ""
  expect(prompt).toMatch(/^> .*SCIM provisioning.*$/im)
  expect(prompt).toContain(`It came up in ${asked} conversations from `)
  expect(prompt).toContain("most often on /guides/single-sign-on")
  const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
  expect(JSON.stringify(shown)).toContain("Readers asked the docs assistant")
})

test("a search and a page become jobs as well, from a message that was shared", async () => {
  const h = await testBed()
  await h.slack.as(ADA).click(await gaps(h), "gaps_share")
  const shared = await h.slack.until((s) =>
    botMessages(s).find(({ text }) => text.startsWith("What readers didn't find")),
  )
  const all = gapsIn(shared)
  const wanted = [/“scim”/, /\/guides\/single-sign-on\*/]
  for (const [n, words] of wanted.entries()) {
    const gap = all.find((one) => words.test(one.words))
    await h.slack.as(BEN).click(shared, "gaps_ask", { index: gap?.index ?? -1 })
    await h.slack.until((s) => s.modal(BEN))
    await h.slack.as(BEN).submitModal()
    await docsUntil(h, (docs) => docs.creations.length === n + 1)
  }
  const [search, page] = h.docs.creations.map(({ prompt }) => prompt)
  expect(search).toMatch(/^> scim$/m)
  expect(search).toMatch(/There were \d+ searches/)
  expect(page).toMatch(/^Improve the page \/guides\/single-sign-on: it got \d+ thumbs down/)
})

test("somebody who may not ask gets no form", async () => {
  const h = await testBed({ env: { ALLOWED_USERS: ADA } })
  await h.slack.as(ADA).click(await gaps(h), "gaps_share")
  const shared = await h.slack.until((s) =>
    botMessages(s).find(({ text }) => text.startsWith("What readers didn't find")),
  )
  await h.slack.as(BEN).click(shared, "gaps_ask", { index: 0 })
  await toldPrivately(h, BEN, /can't use|isn't|may not|not allowed|access/i)
  expect(h.slack.modal(BEN)).toBeUndefined()
})

test("what readers told about themselves is nowhere: Slack, Redis, log, prompt or metrics", async () => {
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const h = await testBed({ log, env: { LOG_LEVEL: "debug" } })
  const message = await gaps(h)
  await h.slack.as(ADA).click(message, "gaps_share")
  await h.slack.as(ADA).click(message, "gaps_csv")
  await toldPrivately(h, ADA, /sent you the CSV/)
  for (const { index } of gapsIn(message)) {
    const before = h.docs.creations.length
    await h.slack.as(ADA).click(message, "gaps_ask", { index })
    await h.slack.until((s) => s.modal(ADA))
    await h.slack.as(ADA).submitModal()
    await docsUntil(h, (docs) => docs.creations.length === before + 1)
  }
  const metrics = await fetch(`http://127.0.0.1:${h.bot.port}/metrics`)
  const places = {
    log: lines.join(""),
    slack: JSON.stringify([h.slack.calls, botMessages(h.slack), h.slack.ephemerals(ADA)]),
    redis: await dumpRedis(h.services.workerRedis),
    prompts: h.docs.creations.map(({ prompt }) => prompt).join("\n"),
    files: h.slack
      .files()
      .map(({ content }) => content.toString())
      .join(""),
    metrics: await metrics.text(),
  }
  expect(places.prompts).toContain("SCIM")
  expect(places.files).toContain("scim")
  for (const [place, text] of Object.entries(places))
    for (const [name, canary] of Object.entries(CANARIES))
      expect({ place, name, found: text.includes(canary) }).toEqual({ place, name, found: false })
}, 60_000)
