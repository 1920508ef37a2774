import { expect, test } from "vitest"
import { useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { wordsIn } from "../../helpers/visitors-blocks.ts"
import { ADA, DOCS, TEAM } from "../../sandbox/slack/seed/ids.ts"

const bot = useVisitorsBot()
const MONDAY = Date.parse("2026-11-23T08:00Z")

const digests = ({ slack }: VisitorsBot) =>
  slack
    .channel(DOCS)
    .messages()
    .filter(({ text }) => text.startsWith("Docs visitors,"))

async function subscribed(words: string, options: Parameters<typeof bot>[0] = {}) {
  const desk = await bot(options)
  await desk.slack.as(ADA).slash(DOCS, "/docs-visitors", `subscribe ${words}`)
  await desk.settled()
  return desk
}

test.each(["weekly gaps", "weekly gaps at 09:00", "weekly 09:00 gaps"])(
  "subscribe %s brings them below the digest, once from two processes",
  async (words) => {
    const desk = await subscribed(words)
    expect(desk.slack.channel(DOCS).messages().at(-1)?.text).toContain("what readers didn't find")
    desk.clock.now = MONDAY
    await Promise.all([desk.digests(), desk.another().digests()])
    const [digest, ...more] = digests(desk)
    expect(more).toEqual([])
    const shown = digest ? wordsIn(digest) : ""
    expect(shown).toContain("Weekly digest")
    expect(shown).toMatch(/SCIM provisioning/i)
    const [id = ""] = /"value":"([\w-]+)\.0"/.exec(shown)?.slice(1) ?? []
    expect((await desk.deps.shownGaps.load(id))?.to).toEqual({ channel: DOCS })
  },
)

test("a weekly digest without the word has none", async () => {
  const desk = await subscribed("weekly")
  desk.clock.now = MONDAY
  await desk.digests()
  expect(digests(desk).map(wordsIn).join("")).not.toContain("gaps_ask")
  expect(digests(desk)).toHaveLength(1)
})

test("gaps that cannot be read are waited for, and at last the digest comes without them", async () => {
  const desk = await subscribed("weekly gaps", { perHour: 1_000 })
  desk.clock.now = MONDAY
  // The digest's own numbers are known, and the gaps need the service.
  const range = { from: "2026-11-16", to: "2026-11-22" }
  const question = { project: "docs-site", range, by: "total", page: 1 } as const
  await desk.deps.ask.report(question, { kind: "digest" })
  desk.docs.fail({ type: "status", status: 503, kind: "visitors" })
  await desk.digests()
  expect(digests(desk)).toEqual([])
  for (let n = 0; n < 12; n++) {
    desk.clock.now += 5 * 60_000
    await desk.digests()
  }
  const [digest, ...more] = digests(desk)
  expect(more).toEqual([])
  expect(digest ? wordsIn(digest) : "").toContain("Couldn't look for gaps this time:")
})

test.each(["daily gaps", "gaps", "monthly gaps at 09:00"])(
  "%s is answered with what works",
  async (words) => {
    const desk = await bot()
    const { text } = await desk.ask(ADA, DOCS, `subscribe ${words}`)
    expect(text).toMatch(/subscribe weekly/)
    expect(await desk.deps.subscriptions.ofChannel(TEAM, DOCS)).toEqual([])
  },
)
