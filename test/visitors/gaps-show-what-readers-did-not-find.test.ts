import { describe, expect } from "vitest"
import { request } from "../helpers/gaps.ts"
import { PROJECT, useVisitors } from "../helpers/visitors.ts"
import { wordsIn } from "../helpers/visitors-blocks.ts"
import { ADA } from "../sandbox/slack/index.ts"

const { test, bed } = useVisitors()

describe("VIS-15: what readers did not find", () => {
  test("names unanswered questions by how many asked them", async () => {
    const h = await bed({ docs: { analytics: { conversationsPerDay: 40 } } })
    const words = wordsIn(await h.ask(ADA, "gaps"))
    const all = h.docs.conversations(PROJECT, "2026-11-13", "2026-11-20")
    const open = all.filter(({ body }) => body.resolutionStatus === "unanswered")
    expect(words).toContain(`*Unanswered questions* · ${open.length} of ${all.length}`)
    const shown = [...words.matchAll(/\*([^*]+)\*\\n(\d+) conversations?/g)]
    // Six topics go unanswered, each asked about in several wordings.
    expect(shown).toHaveLength(5)
    const asked = shown.map((found) => Number(found[2]))
    expect(asked).toEqual(asked.toSorted((a, b) => b - a))
  })

  test("reads a thousand questions at most, and says so", async () => {
    const h = await bed({ docs: { analytics: { conversationsPerDay: 800 } } })
    expect(wordsIn(await h.ask(ADA, "gaps"))).toContain(" of the first 1,000")
    // Comments, questions and searches; ratings only where nobody wrote anything.
    expect(h.analyticsRequests()).toHaveLength(3)
  })

  test.each(["fraction", "percent"] as const)(
    "names searches that lead nowhere by a click rate that is a %s, capitals or not, by how many were left alone",
    async (ctr) => {
      const h = await bed({ docs: { analytics: { ctr } } })
      const words = wordsIn(await h.ask(ADA, "gaps 30d"))
      const lost = [...words.matchAll(/“([^”]+)”\*\\n([\d,]+) searches/g)].map((one) => one[1])
      const five = ["scim", "webhook retries", "corporate proxy", "export to excel", "refund"]
      expect(lost).toEqual(five)
    },
  )

  test("names the pages with most thumbs down where there are no comments", async () => {
    const h = await bed({ docs: { absent: { feedback: 404 } } })
    const words = wordsIn(await h.ask(ADA, "gaps last 30 days"))
    expect(words).toMatch(/\*\/guides\/single-sign-on\*\\n\d+ thumbs? down, \d+ up/)
    expect(words).not.toContain("*/quickstart*")
  })
})

describe("a deployment that lacks an operation", () => {
  test.each([403, 404, 501] as const)(
    "an operation that answers %d is named in one line, and is no fault in the log",
    async (status) => {
      const h = await bed({
        env: { LOG_LEVEL: "warn" },
        docs: { absent: { assistant: status, feedback: status, feedback_by_page: status } },
      })
      const words = wordsIn(await h.ask(ADA, "gaps"))
      expect(words).toContain(
        "Your documentation service doesn't report assistant questions, comments or page ratings.",
      )
      expect(words).toContain("“scim”")
      expect(words).not.toContain("Unanswered questions")
      h.docs.configure({ absent: { searches: status } })
      const others = wordsIn(await h.ask(ADA, "gaps"))
      expect(others).toContain("Your documentation service doesn't report searches.")
      expect(others).toContain("Unanswered questions")
      expect(h.lines).toEqual([])
    },
  )

  test("is no lack when the key is refused, or it just fails: that is said, and asking again is as good as new", async (h) => {
    const refusal = h.docs.fail({ type: "status", status: 403 })
    expect((await h.ask(ADA, "gaps")).text).toContain("the API key can't read this")
    refusal.clear()
    const fault = h.docs.fail({ type: "status", status: 503, kind: "searches" })
    expect((await h.ask(ADA, "gaps")).text).toMatch(
      /^Couldn't load what readers didn't find: the documentation service/,
    )
    fault.clear()
    expect((await h.ask(ADA, "gaps")).text).toMatch(/^What readers didn't find/)
  })
})

describe("“Ask the docs agent”", () => {
  test("makes a job of each kind of gap, with its evidence in the prompt", async () => {
    const h = await bed({ docs: { analytics: { conversationsPerDay: 200 } } })
    const message = await h.ask(ADA, "gaps 30d")
    const asked = await request(h, message, /[\d,]+ conversations/)
    expect(asked).toMatch(
      /^Answer “.+” in the docs\.\n\n> .*\n> Most often on the page \/\S+\n\nThe quoted lines are from/,
    )
    expect(asked).toMatch(/asked this from 2026-10-21 to 2026-11-19 .* in [\d,]+ conversations/)
    const search = await request(h, message, /“scim”/)
    expect(search).toMatch(/^Cover “scim” in the docs\.$/m)
    expect(search).toMatch(/^> scim$/m)
    expect(search).toMatch(/of \d+ searches/)
    const written = await request(h, message, /\d comments?.*\n> The example calls/)
    expect(written).toMatch(
      /^Fix what AI agents report about \/\S+\n\n> The example calls[\s\S]*\n> On the page \/\S+[\s\S]*\nAI agents that read/,
    )
  })

  test("opens no form for gaps that are gone", async (h) => {
    const message = await h.ask(ADA, "gaps")
    await h.services.workerRedis.flushall()
    await h.slack.as(ADA).click(message, "gaps_ask", { index: 0 })
    await h.toldPrivately(ADA, /This list has expired/)
    expect(h.slack.modal(ADA)).toBeUndefined()
  })
})
