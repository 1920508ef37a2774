import { expect } from "vitest"
import { ask, askUntil } from "../helpers/asked.ts"
import { type Bed, READY, UNENDING, useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

const status = async (h: Bed, user = ADA) => (await ask(h, "status", user)).shown?.text ?? ""

test("ASK-29: a person's list has what runs and what waits apart from what is done, and nobody else's", async () => {
  const h = await testBed({ env: { JOBS_PER_HOUR: "2", RESERVED_SLOTS: "0" }, plan: READY })
  await askUntil(h, "ends with a link", /request is ready/)
  h.docs.planAll(UNENDING)
  await ask(h, "runs for long")
  await h.docsUntil((docs) => docs.creations.length === 2)
  await askUntil(h, "waits in line", /waits in line[\s\S]*next in line/)
  await ask(h, "words of ben", BEN)

  const told = await status(h)
  expect(told).toMatch(
    /Working[\s\S]*runs for long[\s\S]*waits in line[\s\S]*Ready[\s\S]*ends with/,
  )
  expect(told).toMatch(/Queued · waits in line[^\n]* in line · /)
  expect(told).toMatch(/Working · /)
  expect(told).toContain("acme/docs#")
  expect(told).not.toContain("words of ben")
  expect(await status(h, BEN)).toContain("words of ben")
  const home = JSON.stringify((await h.slack.as(ADA).openHome()).payload)
  const [lead] = /Ask for a docs change|runs for long/.exec(home) ?? []
  expect(lead).toBe("Ask for a docs change")
  for (const words of ["runs for long", "waits in line", "ends with a link"])
    expect(home).toContain(words)
  expect(home).toMatch(/2 of 2/)
  expect(home).not.toContain("words of ben")
})

test("in a thread it is about one's own latest job there, else the thread's, and no other", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" }, plan: READY })
  const { say, says } = await h.startThread()
  await says(/request is ready/)
  h.docs.planAll(UNENDING)
  await say("shorten the intro")
  await says(/Working on it/)
  await ask(h, "words of ben elsewhere", BEN)
  const statusThere = async (user: string) =>
    (await h.answerTo(user, () => say("status", user))).text
  expect(await statusThere(ADA)).toMatch(/· write the guide/)
  for (const user of [BEN, CLEO])
    expect(await statusThere(user)).toMatch(/^(?!.*elsewhere).*Working · shorten the intro/s)
  // Her follow-up goes to her own pull request: without messages, as a job that continues it.
  await say("and fix the links", ADA)
  await h.docsUntil(({ creations }) => creations.length === 4)
  expect(await statusThere(ADA)).toMatch(/· and fix the links/)
})
