import { expect } from "vitest"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, GUS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

/** Rate limit of users.info: "Tier 4: 100+ per minute". */
const TIER_4 = 100

const lookUps = ({ slack }: Bed) => slack.calls.filter(({ method }) => method === "users.info")
const nobodies = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `<@U0NOBODY${String(from + n).padStart(3, "0")}>`)

/** Delivers a mention with arbitrary text, as a custom client could send it. */
async function mention({ slack, services }: Bed, user: string, words: string) {
  const { ts } = await slack.as(user).post(DOCS, "this is delivered as another text")
  const me = await services.slack.state.whoWeAre()
  const text = `<@${me.user}> ${words}`
  await slack.sendEvent({ type: "app_mention", user, channel: DOCS, ts, text })
}

test("whoever is refused asks Slack about nobody but themselves", async (h) => {
  for (let n = 0; n < 4; n++) await mention(h, GUS, `hello ${nobodies(40, n * 40).join(" ")}`)
  await h.toldPrivately(GUS, /Guests can't/)
  expect(lookUps(h).length).toBe(1)
})

test("names leave Slack's limit to the question who may ask", async () => {
  // Slack counts per method and workspace; a minute's calls may come at once.
  const h = await testBed({ slack: { rateLimits: "slack" } })
  for (let n = 0; n < 4; n++) await mention(h, ADA, `ask ${n} ${nobodies(50, n * 50).join(" ")}`)
  await h.docsUntil(({ creations }) => creations.length === 4)
  expect(lookUps(h).length).toBeLessThan(TIER_4)
  expect(lookUps(h).every(({ error }) => error !== "ratelimited")).toBe(true)
  for (const [n, user] of [BEN, CLEO].entries()) {
    const asked = await h.slack.as(user).slash(DOCS, "/docs-agent", `of another ${n}`)
    expect(asked).toMatchObject({ ok: true, shown: undefined })
  }
  await h.docsUntil(({ creations }) => creations.length === 6)
})

test("whom Slack does not show is looked up once, however often they are mentioned", async (h) => {
  for (let n = 0; n < 3; n++) await mention(h, ADA, `ask ${n} ${nobodies(10).join(" ")}`)
  await h.docsUntil(({ creations }) => creations.length === 3)
  expect(lookUps(h)).toHaveLength(11)
})

test("somebody known by name is called so, however much was asked before", async (h) => {
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "status")
  for (let n = 0; n < 2; n++) await mention(h, ADA, `ask ${n} ${nobodies(50, n * 50).join(" ")}`)
  await mention(h, ADA, `with <@${BEN}> at last`)
  await h.botSays(/with @ben at last/)
  await h.docsUntil(({ creations }) => creations.length === 3)
})
