import { describe, expect, test } from "vitest"
import { joined } from "../../helpers/restarted.ts"
import { PROJECT, useVisitors, type VisitorsBed } from "../../helpers/visitors.ts"
import { wordsIn } from "../../helpers/visitors-blocks.ts"
import { ADA, BEN, DOCS, RANDOM } from "../../sandbox/slack/seed/ids.ts"

const bed = useVisitors()

const said = ({ slack }: VisitorsBed, channel = DOCS) => slack.channel(channel).messages()
const alerts = (h: VisitorsBed) => said(h).filter((one) => wordsIn(one).includes("alert_report"))
const texts = (h: VisitorsBed) => alerts(h).map(({ text }) => text)

type Event = { day: string; factor: number; of?: "human" | "ai" | "both"; path?: string }

/** A channel with alerts, and what happens to the site. */
async function watching(words: string, ...plants: Event[]) {
  const h = await bed({
    docs: { visitors: { plants: plants.map((one) => ({ of: "both", path: undefined, ...one })) } },
  })
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", `alert ${words}`)
  await h.slack.until(() => said(h).length > 0)
  return h
}

describe("an unusual day", () => {
  test("is looked at once, at 12:00 UTC of the next day, and names what, when and how far", async () => {
    const h = await watching("on people", { day: "2026-11-24", factor: 0.3, of: "human" })
    await h.at("2026-11-25T11:58Z")
    expect(texts(h)).toEqual([])
    await h.at("2026-11-25T12:00Z")
    const { human } = h.docs.truth(PROJECT, "2026-11-24", "2026-11-25").totals
    expect(texts(h)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Docs traffic dropped on Tue, Nov 24: ${human.toLocaleString("en-US")} people, down [67]\\d% from the usual [\\d,]+ \\(docs-site\\)\\.$`,
        ),
      ),
    ])
    expect(JSON.stringify(alerts(h))).toContain("the previous 8 Tuesdays (UTC)")
    await h.at("2026-11-25T20:00Z")
    // No second message when it is over.
    for (const day of ["26", "27", "28"]) await h.at(`2026-11-${day}T12:01Z`)
    expect(alerts(h)).toHaveLength(1)
  })

  test("of people and AI at once is one message, and one by two processes", async () => {
    const h = await watching("on", { day: "2026-11-24", factor: 3 })
    await using _ = await joined(h, { clock: h.clock })
    h.clock.moveOn(Date.parse("2026-11-25T12:00Z") - h.clock.now())
    await Promise.all([h.posts(), h.posts()])
    expect(texts(h)).toEqual([
      expect.stringMatching(/Docs traffic rose on Tue.* people.*Docs traffic rose.* AI visitors/),
    ])
  })

  test("of some pages is posted where these are watched", async () => {
    const plant = { day: "2026-11-24", factor: 4, path: "/guides" }
    const h = await watching("on people /guides", plant)
    await h.at("2026-11-25T12:00Z")
    expect(texts(h)).toEqual([
      expect.stringMatching(/^Docs traffic rose .* people on \/guides, up/),
    ])
  })

  test("opens its report for everybody in the channel, privately", async () => {
    const h = await watching("on people", { day: "2026-11-24", factor: 0.3 })
    await h.at("2026-11-25T12:00Z")
    const [message] = alerts(h)
    if (!message) throw new Error("No alert was posted")
    expect((await h.use(BEN, message, "alert_report")).text).toMatch(/^Docs visitors, Nov 24, 2026/)
  })

  test("is not made up of a usual month, nor of one day of which the channel heard", async () => {
    const h = await watching("on")
    for (let day = 21; day <= 30; day++) await h.at(`2026-11-${day}T12:01Z`)
    expect(texts(h)).toEqual([])
  })

  test("a day that passed while no process lived is not looked at later", async () => {
    const h = await watching("on people", { day: "2026-11-24", factor: 0.3 })
    await h.at("2026-11-28T12:01Z")
    expect(texts(h)).toEqual([])
  })

  test("waits for the service, and is posted when it is back", async () => {
    const h = await watching("on people", { day: "2026-11-24", factor: 0.3 })
    const fault = h.docs.fail({ type: "status", status: 503, kind: "visitors" })
    await h.at("2026-11-25T12:00Z")
    expect(texts(h)).toEqual([])
    fault.clear()
    await h.at("2026-11-25T12:10Z")
    expect(texts(h)).toHaveLength(1)
  })

  test("is posted once where Slack's answer got lost", async () => {
    const h = await watching("on people", { day: "2026-11-24", factor: 0.3 })
    h.slack.fail({ method: "chat.postMessage", kind: "reset", when: "after", times: 1 })
    await h.at("2026-11-25T12:00Z")
    await h.at("2026-11-25T12:10Z")
    expect(texts(h)).toHaveLength(1)
  })
})

describe("alerts", () => {
  test("are turned on in the channel, listed, and off by what is named", async () => {
    const h = await watching("on")
    expect(said(h)[0]?.text).toContain(`<@${ADA}> turned on docs traffic alerts in this channel`)
    await h.slack.as(BEN).slash(DOCS, "/docs-visitors", "alert on ai /guides")
    await h.slack.until(() => said(h).length === 2)
    const list = await h.ask(BEN, "alert list")
    expect(list.text).toMatch(/people, whole site.*\n.*AI visitors, whole site.*\n.*on \/guides/)
    await h.slack.as(BEN).slash(DOCS, "/docs-visitors", "alert off ai")
    await h.slack.until(() => said(h).length === 3)
    expect((await h.ask(ADA, "alert list")).text).not.toContain("AI visitors")
    await h.slack.as(BEN).slash(DOCS, "/docs-visitors", "alert off")
    await h.slack.until(() => said(h).length === 4)
    expect((await h.ask(ADA, "alert off")).text).toContain("has no alerts")
  })

  test("turned on by several people at the same moment are said once", async () => {
    const h = await bed()
    await Promise.all(
      [ADA, BEN, ADA, BEN].map((user) =>
        h.slack.as(user).slash(DOCS, "/docs-visitors", "alert on people"),
      ),
    )
    const answered = () => [...h.slack.ephemerals(ADA), ...h.slack.ephemerals(BEN)].length
    await h.slack.until(() => said(h).length + answered() === 4)
    expect(said(h)).toHaveLength(1)
  })

  test("where the bot may not post are refused at once, and nothing is stored", async () => {
    const h = await bed()
    expect((await h.ask(ADA, "alert on", RANDOM)).text).toContain("Invite me with `/invite` <@")
    expect((await h.ask(ADA, "alert list", RANDOM)).text).toContain("has no alerts")
  })

  test("are at most ten in a channel", async () => {
    const h = await bed()
    for (let n = 1; n <= 5; n++) {
      await h.slack.as(ADA).slash(DOCS, "/docs-visitors", `alert on /part-${n}`)
      await h.slack.until(() => said(h).length === n)
    }
    expect((await h.ask(ADA, "alert on /part-6")).text).toContain("at most 10 alerts")
  })
})
