import { describe, expect } from "vitest"
import { useVisitors } from "../../helpers/visitors.ts"
import { typesIn, wordsIn } from "../../helpers/visitors-blocks.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"

const { test, bed } = useVisitors()

test.each([
  [{ kind: "error", error: "is_archived" }, /is_archived`\. Use another channel/],
  [{ kind: "reset", when: "after" }, /If nothing appears .* get a new report/],
] as const)(
  "a shared report that Slack does not take says what helps: %o",
  async (mishap, says) => {
    const h = await bed()
    const report = await h.ask(ADA, "7d")
    h.slack.fail({ ...mishap, method: "chat.postMessage", times: 1 })
    expect((await h.use(ADA, report, "visitors_share")).text).toMatch(says)
  },
)

describe("a workspace that does not take", () => {
  test.each(["invalid_arguments", "bare_word", "odd_body"] as const)(
    "private charts gets a table, also where it says so by %s; the channel keeps its chart",
    async (words) => {
      const h = await bed({ slack: { refuse: { charts: "private", words } } })
      const message = await h.ask(ADA, "last week")
      expect(typesIn(message)).toContain("table")
      await h.slack.as(ADA).click(message, "visitors_share")
      expect(wordsIn(await h.botSays(/^Docs visitors/))).toContain("data_visualization")
    },
  )
})

describe("a service that", () => {
  test("fails is asked once for all who wait for the same, once more at once, and again for who asks later", async (h) => {
    const slow = h.docs.fail({ type: "delay", ms: 300, kind: "visitors" })
    const fault = h.docs.fail({ type: "status", status: 503, kind: "visitors" })
    const people = [ADA, BEN, ADA, BEN, ADA]
    const told = () =>
      [ADA, BEN].flatMap((user) => h.slack.ephemerals(user)).map(({ text }) => text)
    await Promise.all(people.map((user) => h.slack.as(user).slash(DOCS, "/docs-visitors", "7d")))
    await h.slack.until(() => told().length === people.length)
    expect(told()).toEqual(people.map(() => expect.stringContaining("unexpected response")))
    // One request and its repetition.
    expect(h.analyticsRequests()).toHaveLength(2)
    for (const one of [slow, fault]) one.clear()
    h.docs.fail({ type: "status", status: 503, kind: "visitors", times: 1 })
    expect((await h.ask(ADA, "7d")).text).toContain("People")
  })

  test("fails in the middle of the export gives figures and no part of the pages", async () => {
    const h = await bed({ docs: { visitors: { pages: 800 } } })
    h.docs.subscribe((event) => {
      const wasSecondPage = event.type === "request" && event.request.query.offset === "250"
      if (wasSecondPage) h.docs.fail({ type: "status", status: 500, kind: "visitors", times: 6 })
    })
    const message = await h.ask(ADA, "2026-11-13..2026-11-14")
    expect(message.text).toContain("People")
    expect(message.text).not.toContain("Top pages")
    expect(wordsIn(message)).toContain("Couldn't load some numbers: the documentation service ")
  })

  test.each(["endless_export", "empty_page"] as const)(
    "announces pages that it does not have (%s) is left, and the report says so",
    async (type) => {
      const h = await bed({ docs: { visitors: { pages: 800 } } })
      h.docs.fail({ type, kind: "visitors" })
      expect(wordsIn(await h.ask(ADA, "yesterday"))).toContain("Some pages may be missing.")
    },
  )

  test("has seen nobody costs two requests and says so", async () => {
    const h = await bed({ docs: { visitors: { empty: true } } })
    const message = await h.ask(ADA, "30d")
    expect(wordsIn(message)).toContain("No visitors in this period.")
    expect(message.text).toContain("No visitors in this period.")
    expect(h.analyticsRequests()).toHaveLength(2)
  })
})
