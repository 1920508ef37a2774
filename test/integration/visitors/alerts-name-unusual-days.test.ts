import { describe, expect, test } from "vitest"
import { skewDate } from "../../helpers/skewed-date.ts"
import { PROJECT, type Process, useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { typesIn, wordsIn } from "../../helpers/visitors-blocks.ts"
import { ADA, BEN, DOCS, EDITORS, OLD_DOCS, RANDOM, TEAM } from "../../sandbox/slack/seed/ids.ts"

const bot = useVisitorsBot()
const at = (iso: string) => Date.parse(iso)
const HOUR_MS = 3_600_000

const alerts = ({ slack }: VisitorsBot, channel = DOCS) =>
  slack
    .channel(channel)
    .messages()
    .filter((message) => wordsIn(message).includes("alert_report"))
    .map(({ text }) => text)

type Event = { day: string; factor: number; of?: "human" | "ai" | "both"; path?: string }
const plant = ({ docs }: VisitorsBot, ...plants: Event[]) =>
  docs.configure({ visitors: { plants: plants.map((one) => ({ of: "both" as const, ...one })) } })

/**
 * Lives until then as workers do, from one due moment to the next.
 * @returns the UTC days on which a message came
 */
async function live(desk: VisitorsBot, until: string, ...others: Pick<Process, "alerts">[]) {
  const days: string[] = []
  for (let looks = 0; looks < 500; looks++) {
    const before = alerts(desk).length
    await Promise.all([desk, ...others].map((one) => one.alerts()))
    for (let n = before; n < alerts(desk).length; n++)
      days.push(new Date(desk.clock.now).toISOString().slice(0, 10))
    const rest = await desk.deps.alerts.nextDue()
    if (rest === undefined || desk.clock.now + rest > at(until)) break
    desk.clock.now += rest
  }
  desk.clock.now = at(until)
  return days
}

async function watching(words = "on", options: Parameters<typeof bot>[0] = {}) {
  const desk = await bot({ perHour: 100_000, ...options })
  await desk.slack.as(ADA).slash(DOCS, "/docs-visitors", `alert ${words}`)
  await desk.settled()
  return desk
}

describe("a day far off its weekday", () => {
  test("is told in the channel, with usual, change, pages and a button, and again when it is over", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4, of: "human" })
    await live(desk, "2026-11-25T23:00Z")
    const [drop, ...none] = alerts(desk)
    expect(none).toEqual([])
    const { totals } = desk.docs.truth(PROJECT, "2026-11-24", "2026-11-25")
    expect(drop).toMatch(/^Fewer people than usual, 24 Nov 2026: /)
    expect(drop).toContain(`2026: ${totals.human.toLocaleString("en-US")}. A Tuesday usually has`)
    expect(drop).toMatch(/▼ down [56]\d%/)
    expect(drop).toMatch(
      /Biggest changes from a week earlier: \/\S* [\d,]+ → [\d,]+, \/\S* [\d,]+ → [\d,]+, \//,
    )
    await live(desk, "2026-11-30T12:00Z")
    const [, over, ...more] = alerts(desk)
    expect(more).toEqual([])
    expect(over).toMatch(/^Back to usual: [\d,]+ people on 25 Nov 2026/)
    expect(over).toContain("The count was below that on 24 Nov 2026.")
  })

  test("is told as a spike of AI alone where only AI came more", async () => {
    const desk = await watching()
    plant(desk, { day: "2026-11-24", factor: 3, of: "ai" })
    await live(desk, "2026-11-25T23:00Z")
    expect(alerts(desk)).toEqual([expect.stringMatching(/^More AI visitors than usual, 24 Nov/)])
  })

  test("of people and AI at once is one message", async () => {
    const desk = await watching()
    plant(desk, { day: "2026-11-24", factor: 0.3 })
    await live(desk, "2026-11-25T23:00Z")
    const [both, ...more] = alerts(desk)
    expect(more).toEqual([])
    expect(both).toContain("Fewer people than usual")
    expect(both).toContain("Fewer AI visitors than usual")
  })

  test("opens its report for everybody in the channel, privately", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    await live(desk, "2026-11-25T23:00Z")
    const message = desk.slack
      .channel(DOCS)
      .messages()
      .find((one) => wordsIn(one).includes("alert_report"))
    if (!message) throw new Error("No alert came")
    await desk.slack.as(BEN).click(message, "alert_report")
    await desk.settled()
    expect(desk.told(BEN).text).toMatch(/^Docs visitors, 24 Nov 2026/)
    expect(typesIn(desk.told(BEN))).toContain("actions")
  })

  test("a run of them is one story", async () => {
    const desk = await watching("on people")
    const days = ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26"]
    plant(desk, ...days.map((day) => ({ day, factor: 0.4 })))
    await live(desk, "2026-12-03T12:00Z")
    const told = alerts(desk)
    expect(told).toHaveLength(2)
    expect(told[0]).toContain("23 Nov 2026")
    expect(told[1]).toContain("The count was below that on 23–26 Nov 2026")
  })

  test("on some pages is told where these are watched", async () => {
    const desk = await watching("on people /guides")
    plant(desk, { day: "2026-11-24", factor: 4, path: "/guides" })
    await live(desk, "2026-11-25T23:00Z")
    expect(alerts(desk)).toEqual([
      expect.stringMatching(/^More people than usual on \/guides, 24 Nov 2026/),
    ])
    expect(alerts(desk)[0]).toMatch(/Biggest changes from a week earlier: \/guides/)
  })
})

describe("nothing is told", () => {
  test("of a usual month", async () => {
    const desk = await watching()
    await live(desk, "2026-12-20T12:00Z")
    expect(alerts(desk)).toEqual([])
  })

  test("of a day without any visitor: that is a day without data", async () => {
    const desk = await watching()
    plant(desk, { day: "2026-11-24", factor: 0 })
    await live(desk, "2026-11-28T12:00Z")
    expect(alerts(desk)).toEqual([])
  })

  test("of small numbers", async () => {
    const desk = await bot({ perHour: 100_000 })
    const { visitors } = desk.docs.truth(PROJECT, "2026-11-17", "2026-11-18")
    const rare = visitors.find(
      ({ path, human }) => human > 5 && human < 30 && /^\/[\w/-]+$/.test(path),
    )
    if (!rare) throw new Error("Every page is read by many")
    const { path } = rare
    await desk.slack.as(ADA).slash(DOCS, "/docs-visitors", `alert on people ${path}`)
    await desk.settled()
    plant(desk, { day: "2026-11-24", factor: 9, path })
    await live(desk, "2026-11-25T23:00Z")
    expect(alerts(desk)).toEqual([])
  })

  test("of a new project, until four weeks are known", async () => {
    const desk = await watching("on", { docs: { visitors: { empty: true } } })
    await live(desk, "2026-11-25T12:00Z")
    expect(alerts(desk)).toEqual([])
  })
})

describe("late data", () => {
  test.each([5, 14])("of %d hours is waited for, and is no drop", async (hours) => {
    const desk = await watching("on", { docs: { visitors: { lagMs: hours * HOUR_MS } } })
    await live(desk, "2026-12-01T12:00Z")
    expect(alerts(desk)).toEqual([])
  })

  test("does not hide a spike", async () => {
    const desk = await watching("on people", { docs: { visitors: { lagMs: 14 * HOUR_MS } } })
    plant(desk, { day: "2026-11-24", factor: 2.2 })
    await live(desk, "2026-11-26T12:00Z")
    expect(alerts(desk)).toEqual([expect.stringMatching(/^More people than usual, 24 Nov/)])
  })

  test("never brings two messages on one day", async () => {
    const desk = await watching("on people", { docs: { visitors: { lagMs: 20 * HOUR_MS } } })
    plant(desk, { day: "2026-11-23", factor: 0.4 }, { day: "2026-11-24", factor: 2.5 })
    const days = await live(desk, "2026-12-01T12:00Z")
    expect(days.length).toBeGreaterThan(1)
    expect(new Set(days).size).toBe(days.length)
  })

  test("nor does one that Slack takes right after midnight, before the next day may be looked at", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-23", factor: 0.4 }, { day: "2026-11-24", factor: 2.5 })
    const limited = { method: "chat.postMessage", kind: "rate_limited", retryAfter: 600 } as const
    const fault = desk.slack.fail(limited)
    expect(await live(desk, "2026-11-25T00:20Z")).toEqual([])
    fault.cancel()
    expect(await live(desk, "2026-11-26T23:00Z")).toEqual(["2026-11-25", "2026-11-26"])
  })
})

describe("each alert comes once", () => {
  test("from five processes", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    const others = [desk.another(), desk.another(), desk.another(), desk.another()]
    await live(desk, "2026-11-25T23:00Z", ...others)
    expect(alerts(desk)).toHaveLength(1)
  })

  test.each([-3, 3])(
    "by Redis' clock, from machines whose clocks are %d days off",
    async (days) => {
      const desk = await watching("on people")
      plant(desk, { day: "2026-11-24", factor: 0.4 })
      using _ = skewDate(days * 24 * HOUR_MS)
      await live(desk, "2026-11-25T01:00Z", desk.another())
      expect(alerts(desk)).toEqual([])
      expect(await live(desk, "2026-11-25T23:00Z", desk.another())).toHaveLength(1)
    },
  )

  test("after nine days without a process, what came and went is told as one", async () => {
    const desk = await watching("on people")
    await live(desk, "2026-11-21T12:00Z")
    plant(desk, { day: "2026-11-24", factor: 0.4 }, { day: "2026-11-25", factor: 0.4 })
    desk.clock.now = at("2026-11-30T20:00Z")
    await live(desk, "2026-12-01T23:00Z", desk.another())
    const [told, ...more] = alerts(desk)
    expect(more).toEqual([])
    expect(told).toMatch(/^Fewer people than usual, 24–25 Nov 2026: /)
    expect(told).toContain("Back to usual since 26 Nov 2026.")
  })

  test.each([
    ["summer begins", "2027-03-20T12:00Z", "2027-03-28", "2027-03-30T12:00Z"],
    ["summer ends", "2026-10-20T12:00Z", "2026-10-25", "2026-10-27T12:00Z"],
  ])("when %s: days are UTC", async (_, from, day, until) => {
    const desk = await bot({ perHour: 100_000 })
    desk.clock.now = at(from)
    await desk.slack.as(ADA).slash(DOCS, "/docs-visitors", "alert on people")
    await desk.settled()
    plant(desk, { day, factor: 0.4 })
    await live(desk, until)
    expect(alerts(desk)[0]).toContain("Fewer people than usual")
    expect(alerts(desk).filter((text) => text.startsWith("Fewer"))).toHaveLength(1)
  })

  test("when Slack's answer got lost, or the process died after the post", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    await live(desk, "2026-11-25T00:30Z")
    desk.slack.fail({ method: "chat.postMessage", kind: "reset", when: "after", times: 1 })
    await live(desk, "2026-11-25T23:00Z")
    expect(alerts(desk)).toHaveLength(1)
  })

  test("when the lost request never arrived", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    await live(desk, "2026-11-25T00:30Z")
    desk.slack.fail({ method: "chat.postMessage", kind: "reset", when: "before", times: 1 })
    await live(desk, "2026-11-25T23:00Z")
    expect(alerts(desk)).toHaveLength(1)
  })

  test("when the lost request never arrived, and Slack has no answer to the look either", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    await live(desk, "2026-11-25T00:30Z")
    desk.slack.fail({ method: "chat.postMessage", kind: "reset", when: "before", times: 1 })
    const look = { method: "conversations.history", kind: "status", status: 503, times: 1 } as const
    const handle = desk.slack.fail(look)
    await live(desk, "2026-11-25T23:00Z")
    expect(handle.hits).toBe(1)
    expect(alerts(desk)).toHaveLength(1)
  })

  test("and a process that died in between is taken over from", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    await live(desk, "2026-11-25T01:09Z")
    desk.clock.now = at("2026-11-25T01:10Z")
    expect(await desk.deps.alerts.claim(300_000)).toBeDefined()
    await live(desk, "2026-11-25T23:00Z", desk.another())
    expect(alerts(desk)).toHaveLength(1)
  })
})

describe("trouble", () => {
  test("of the service is waited out", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    await live(desk, "2026-11-25T00:30Z")
    const fault = desk.docs.fail({ type: "status", status: 503, kind: "visitors" })
    await live(desk, "2026-11-25T03:00Z")
    expect(alerts(desk)).toEqual([])
    fault.clear()
    await live(desk, "2026-11-25T23:00Z")
    expect(alerts(desk)).toHaveLength(1)
  })

  test("an hour of few requests only makes it later", async () => {
    const desk = await watching("on", { perHour: 6 })
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    await live(desk, "2026-11-26T00:00Z")
    expect(alerts(desk)).toHaveLength(1)
  })

  test("once read, a day costs no more than itself", async () => {
    const desk = await watching("on")
    await live(desk, "2026-11-28T12:00Z")
    const before = desk.docs.requests.length
    await live(desk, "2026-11-29T12:00Z")
    // Two looks that agree.
    expect(desk.docs.requests.length - before).toBe(2)
  })

  test.each([
    [OLD_DOCS, "archived"],
    [RANDOM, "without the bot"],
  ])("in a channel that is %s nothing is kept (%s)", async (channel) => {
    const desk = await bot()
    await desk.slack
      .as(ADA)
      .slash(channel, "/docs-visitors", "alert on")
      .catch(() => {})
    await desk.settled()
    expect(await desk.deps.alerts.of(TEAM, channel)).toBeUndefined()
  })
})

describe("people", () => {
  test("turn alerts on in public, see them in a list, and turn them off", async () => {
    const desk = await watching("on people /Guides/A b")
    const say = () => desk.slack.channel(DOCS).messages().at(-1)?.text ?? ""
    expect(say()).toContain(
      `<@${ADA}> turned on visitor alerts in this channel: people on /Guides/A b.`,
    )
    await desk.slack.as(BEN).slash(DOCS, "/docs-visitors", "alert on ai")
    await desk.settled()
    expect((await desk.ask(BEN, DOCS, "alert on ai")).text).toContain("already on")
    const list = (await desk.ask(BEN, DOCS, "alert list")).text
    expect(list).toContain("• people on /Guides/A b · docs-site · turned on by")
    expect(list).toContain("• AI visitors, whole site")
    await desk.slack.as(BEN).slash(DOCS, "/docs-visitors", "alert off people")
    await desk.settled()
    expect(say()).toContain("turned off visitor alerts in this channel: people on /Guides/A b.")
    expect((await desk.deps.alerts.of(TEAM, DOCS))?.watches).toHaveLength(1)
    await desk.slack.as(BEN).slash(DOCS, "/docs-visitors", "alert off")
    await desk.settled()
    expect(await desk.deps.alerts.nextDue()).toBeUndefined()
    expect((await desk.ask(BEN, DOCS, "alert list")).text).toContain("has no visitor alerts")
  })

  test("who turn on different ones at the same moment both get theirs", async () => {
    const desk = await bot()
    const on = (user: string, words: string) =>
      desk.slack.as(user).slash(DOCS, "/docs-visitors", `alert on ${words}`)
    await Promise.all([on(ADA, "people /a"), on(BEN, "people /b"), on(ADA, "ai /c")])
    await desk.settled()
    expect((await desk.deps.alerts.of(TEAM, DOCS))?.watches).toHaveLength(3)
  })

  test("who turn them off while a message is made hear nothing more", async () => {
    const desk = await watching("on people")
    plant(desk, { day: "2026-11-24", factor: 0.4 })
    await live(desk, "2026-11-25T01:09Z")
    const claim = async () => {
      desk.clock.now += 4 * HOUR_MS
      return desk.deps.alerts.claim(300_000)
    }
    const claimed = await claim()
    await desk.slack.as(BEN).slash(DOCS, "/docs-visitors", "alert off")
    await desk.settled()
    expect(claimed && (await desk.deps.alerts.posting(claimed))).toBe(false)
  })

  test.each(["alert", "alert maybe", "alert on robots", "alert list all"])(
    "who type %s get examples",
    async (words) => {
      const desk = await bot()
      const { text } = await desk.ask(ADA, EDITORS, words)
      expect(text).toContain("/docs-visitors alert on people /guides")
    },
  )
})
