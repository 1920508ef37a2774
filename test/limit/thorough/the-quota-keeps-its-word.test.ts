import { expect, test } from "vitest"
import { type Bed, READY, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed()

const say = async ({ slack }: Bed, user: string, words: string) =>
  (await slack.as(user).slash(DOCS, "/docs-agent", words)).shown?.text ?? ""

/** Starts a bot at which Ada makes so many requests, and waits until the hour lets none start. */
async function withBulk(env: Record<string, string>, requests: number, started: number) {
  const h = await testBed({ env })
  for (let n = 1; n <= requests; n += 1) await say(h, ADA, `write part ${n} of the guide`)
  await h.docsUntil(({ creations }) => creations.length === started)
  const isQueued = ({ text }: { text: string }) => /starts around[\s\S]*in line/.test(text)
  await h.slack.until(() => h.botMessages().filter(isQueued).length === requests - started)
  return h
}

/** Returns the date by which Slack shows a start in the reader's own time zone. */
const startIn = (text: string) => /start(?:s)? around (<!date\S+|\S+ \S+)/.exec(text)?.[1]

test("somebody else's bulk delays only what its requester asks for next; a card says its start from its first post on", async () => {
  const h = await withBulk({ JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }, 4, 1)
  const [bens, adas] = [await say(h, BEN, "quota"), await say(h, ADA, "quota")]
  const texts: string[] = []
  h.slack.subscribe((change) => {
    if (change.type === "message_posted") texts.push(change.message.text)
  })
  await say(h, BEN, "fix the quickstart")
  const card = await h.botSays(/fix the quickstart[\s\S]*next in line/)
  expect(texts[0]).toMatch(/Docs change queued · starts around [\s\S]*next in line/)
  expect(startIn(bens)).toBeDefined()
  expect(startIn(bens)).toBe(startIn(card.text))
  // In Ben's turn, but after him.
  const cleos = await say(h, CLEO, "quota")
  expect(new Set([bens, cleos, adas].map(startIn)).size).toBe(3)
})

test("who has asked for little is told of the slots that are reserved for them", async () => {
  const h = await withBulk({ JOBS_PER_HOUR: "8", RESERVED_SLOTS: "2" }, 8, 6)
  expect(await say(h, BEN, "quota")).toContain("There's room for your next request")
  expect(await say(h, ADA, "quota")).toContain("reserved for people with fewer than 5 requests")
  await say(h, BEN, "fix the quickstart")
  await h.botSays(/fix the quickstart[\s\S]*Working on it/)
})

test("what waits is counted with its follow-ups, which have an hour of their own", async () => {
  const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }, plan: READY })
  const { ts: thread } = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await h.botSays(/Your pull request is ready/, { thread })
  await h.slack.as(ADA).mention(DOCS, "make it a bit shorter", { thread })
  await h.botSays(/Updated/, { thread })
  await h.slack.as(ADA).mention(DOCS, "and a bit friendlier", { thread })
  await h.botSays(/Update queued/)
  expect(await say(h, BEN, "quota")).toMatch(/by everyone in the last hour · 1 follow-up queued/)
  for (const part of [1, 2]) await say(h, BEN, `fix part ${part}`)
  await h.botSays(/fix part 2[\s\S]*in line/)
  expect(await say(h, ADA, "quota")).toContain("· 2 queued, and 1 follow-up")
})

test("a follow-up is sent, though Redis was started again before", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "no_pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart now")
  const { threadTs: thread } = await h.botSays(/Finished without/)
  await h.pause("jobs")
  await h.slack.as(ADA).mention(DOCS, "and its second step", { thread })
  await h.botSays(/Paused until/)
  await h.services.limiter.slots.reseed()
  await h.resumeAll()
  await h.docsUntil((docs) => docs.creations.length === 2)
  expect(h.docs.creations[1]?.prompt).toContain("and its second step")
})

test("LIM-18: a notice counts what waits, not the last request that is just being sent", async () => {
  const env = { JOBS_PER_MONTH: "1", ADMIN_USERS: CLEO }
  const h = await testBed({ env, goesOn: "the service takes its time" })
  h.docs.fail({ type: "hang", when: "after", kind: "create", times: 1 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "the only change of it")
  await h.docsUntil(({ creations }) => creations.length === 1)
  await h.bot.worker?.passes.months?.()
  const notice = await h.slack.until(() =>
    h.direct(CLEO).find(({ text }) => /This month's requests are used up/.test(text)),
  )
  expect(notice.text).toMatch(/New requests wait until/)
})
