import { describe, expect, test } from "vitest"
import { requestForGap } from "../../../src/handlers/visitors/gaps.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { PROJECT, useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { wordsIn } from "../../helpers/visitors-blocks.ts"
import { files } from "../../helpers/visitors-export.ts"
import { CANARIES } from "../../sandbox/docs-service/analytics/canaries.ts"
import { ADA, ADA_DM, BEN, DOCS, EDITORS } from "../../sandbox/slack/seed/ids.ts"

const bot = useVisitorsBot()
const FROM = "2026-11-13"
const TO = "2026-11-20"
const HOUR_MS = 3_600_000

const GAPS = new Set(["visitors", "assistant", "searches", "feedback_by_page"])
const requests = ({ docs }: VisitorsBot) => docs.requests.filter(({ kind }) => GAPS.has(kind))

/** How many talks each topic came up in without an answer, most first, whatever words it was put in. */
function unanswered({ docs }: VisitorsBot): { topic: string; asked: number }[] {
  const talks = new Map<string, Set<string>>()
  for (const { topic, body } of docs.conversations(PROJECT, FROM, TO)) {
    if (body.resolutionStatus !== "unanswered") continue
    talks.set(topic, (talks.get(topic) ?? new Set()).add(body.conversationId))
  }
  return [...talks]
    .map(([topic, { size }]) => ({ topic, asked: size }))
    .toSorted((a, b) => b.asked - a.asked)
}

/** A word that each topic is put with. */
const WORD: Readonly<Record<string, RegExp>> = {
  scim: /scim/i,
  "webhook retries": /webhooks/i,
  proxy: /proxy/i,
  "data residency": /EU/,
  refunds: /refund/i,
  japanese: /認証/,
  "api keys": /rotate/i,
  install: /node version/i,
  "rate limits": /rate limit/i,
}

describe("what readers did not find", () => {
  test.each([40, 700, 720])(
    "%d conversations a day are grouped by what is asked",
    async (perDay) => {
      const at = await bot({ docs: { analytics: { conversationsPerDay: perDay } } })
      await at.ask(ADA, DOCS, "gaps")
      const words = wordsIn(at.told(ADA))
      const all = at.docs.conversations(PROJECT, FROM, TO)
      expect(all).toHaveLength(7 * perDay)
      const shown = [...words.matchAll(/\*([^*]+)\*\\nin (\d+) conversations?/g)].map((found) => ({
        words: found[1] ?? "",
        asked: Number(found[2]),
      }))
      const truth = unanswered(at).slice(0, 5)
      // Five pages of a thousand are as much as eight requests leave room for.
      if (all.length <= 5_000) {
        expect(shown.map(({ asked }) => asked)).toEqual(truth.map(({ asked }) => asked))
        const open = all.filter(({ body }) => body.resolutionStatus === "unanswered").length
        const count = (n: number) => n.toLocaleString("en-US")
        expect(words).toContain(`${count(open)} of ${count(all.length)} asked`)
      } else expect(words).toContain("of the first 5,000 asked")
      for (const [n, { topic }] of truth.entries())
        expect(shown[n]?.words).toMatch(WORD[topic] ?? /$/)
      expect(requests(at).length).toBeLessThanOrEqual(8)
    },
  )

  test("names searches that lead nowhere, capitals or not, by how many were left alone", async () => {
    const at = await bot()
    await at.ask(ADA, DOCS, "gaps 30d")
    const words = wordsIn(at.told(ADA))
    const lost = [...words.matchAll(/“([^”]+)”\*\\n([\d,]+) searches/g)].map((one) => one[1])
    expect(lost).toEqual([
      "scim",
      "webhook retries",
      "corporate proxy",
      "export to excel",
      "refund",
    ])
  })

  test.each(["fraction", "percent"] as const)("reads a click rate that is a %s", async (ctr) => {
    const at = await bot({ docs: { analytics: { ctr } } })
    await at.ask(ADA, DOCS, "gaps")
    const words = wordsIn(at.told(ADA))
    expect(words).toContain("“webhook retries”")
    expect(words).not.toMatch(/“(?:api key|pricing|quickstart)”/)
  })

  test("names the pages with the worst thumbs, with the people who read them", async () => {
    const at = await bot()
    await at.ask(ADA, DOCS, "gaps 30d")
    const words = wordsIn(at.told(ADA))
    const { visitors } = at.docs.truth(PROJECT, "2026-10-21", "2026-11-20")
    const people = visitors.find(({ path }) => path === "/guides/single-sign-on")?.human
    expect(words).toMatch(/\*\/guides\/single-sign-on\*\\n\d+ thumbs? down, \d+ up/)
    expect(words).toContain(`read by ${people?.toLocaleString("en-US")} people`)
    expect(words).not.toContain("*/quickstart*")
  })

  test("of a path are those on its pages", async () => {
    const at = await bot()
    await at.ask(ADA, DOCS, "gaps 7d /guides")
    const words = wordsIn(at.told(ADA))
    expect(words).toMatch(/SCIM/i)
    expect(words).not.toMatch(/corporate proxy/i)
    expect(words).not.toContain("“scim”")
    expect(words).toContain("searches without a page are left out")
  })

  test("a range that is none answers with examples", async () => {
    const at = await bot()
    const answer = await at.ask(ADA, DOCS, "gaps yesteryear")
    expect(answer.text).toContain("I didn't understand “yesteryear”")
  })
})

describe("what a look costs", () => {
  test("is nothing when somebody looked a moment ago, whatever the path", async () => {
    const at = await bot()
    await at.ask(ADA, DOCS, "gaps")
    const spent = requests(at).length
    expect(spent).toBe(4)
    await at.ask(BEN, DOCS, "gaps /guides")
    expect(requests(at)).toHaveLength(spent)
  })

  test("is refused in clear words when the hour has less left, and costs nothing then", async () => {
    const at = await bot({ perHour: 10 })
    for (let n = 0; n < 3; n++) await at.deps.exports.hour.take(PROJECT, { kind: "doctor" }, 1_000)
    await at.ask(ADA, DOCS, "gaps")
    expect(at.told(ADA).text).toMatch(
      /^Not enough requests left this hour\. Looking for gaps takes up to 8, and 7 are left\. Try again around /,
    )
    expect(requests(at)).toEqual([])
    // What was set aside is there for others.
    const room = await at.deps.exports.hour.room(PROJECT, { kind: "doctor" })
    expect(room.free).toBe(7)
    at.clock.now += HOUR_MS + 10_000
    await at.redis.del(...(await at.redis.keys("{da}:v:r:*:failed")))
    await at.ask(ADA, DOCS, "gaps")
    expect(at.told(ADA).text).toContain("What readers didn't find")
  })

  test("gives back to the hour what it did not need", async () => {
    const at = await bot()
    await at.ask(ADA, DOCS, "gaps")
    const { free, perHour } = await at.deps.exports.hour.room(PROJECT, { kind: "doctor" })
    expect(perHour - free).toBe(4)
  })
})

describe("a deployment that lacks an operation", () => {
  test.each([403, 404, 501] as const)(
    "and answers %d is named in one line, and asked again after a day",
    async (status) => {
      const at = await bot({ docs: { absent: { assistant: status, feedback_by_page: status } } })
      await at.ask(ADA, DOCS, "gaps")
      const words = wordsIn(at.told(ADA))
      expect(words).toContain(
        "Your documentation service doesn't report questions to the assistant or page ratings.",
      )
      expect(words).toContain("“scim”")
      expect(words).not.toContain("Questions without an answer")
      const spent = requests(at).length
      await at.ask(BEN, DOCS, "gaps 30d")
      expect(
        requests(at)
          .slice(spent)
          .map(({ kind }) => kind),
      ).toEqual(["visitors", "searches"])

      at.docs.configure({ absent: {} })
      const [key = ""] = await at.redis.keys("{da}:v:no:*assistant")
      expect(await at.redis.pttl(key)).toBeGreaterThan(23 * HOUR_MS)
      await at.redis.del(...(await at.redis.keys("{da}:v:no:*")))
      await at.ask(BEN, DOCS, "gaps 90d")
      expect(wordsIn(at.told(BEN))).toContain("Questions without an answer")
    },
  )

  test("is no lack when the key is refused altogether: that is said, and nothing is remembered", async () => {
    const at = await bot()
    at.docs.fail({ type: "status", status: 403 })
    await at.ask(ADA, DOCS, "gaps")
    expect(at.told(ADA).text).toContain("the API key isn't allowed to read visitor numbers")
    expect(await at.redis.keys("{da}:v:no:*")).toEqual([])
  })

  test("is no lack when it just fails: the rest is shown, and it is asked again soon", async () => {
    const at = await bot()
    at.docs.fail({ type: "status", status: 503, kind: "searches" })
    await at.ask(ADA, DOCS, "gaps")
    expect(wordsIn(at.told(ADA))).toContain("Couldn't read searches")
    const [key = ""] = await at.redis.keys("{da}:v:r:gaps:*")
    expect(await at.redis.pttl(key)).toBeLessThanOrEqual(60_000)
  })
})

describe("shown gaps", () => {
  test("are private until somebody shares them, once", async () => {
    const at = await bot()
    await at.ask(ADA, DOCS, "gaps")
    const message = at.told(ADA)
    const before = at.slack.channel(DOCS).messages().length
    await at.use(ADA, message, "gaps_share")
    await at.use(ADA, message, "gaps_share")
    const [shared, ...more] = at.slack.channel(DOCS).messages().slice(before)
    expect(more).toEqual([])
    if (!shared) throw new Error("Nothing was shared")
    expect(wordsIn(shared)).toContain(`Shared by <@${ADA}>`)
    expect(wordsIn(shared)).not.toContain("gaps_csv")
    expect(at.told(ADA).text).toBe("Already shared in this channel.")
  })

  test("come as a CSV with all of them, formulas harmless", async () => {
    const at = await bot({ docs: { analytics: { oddWords: ["=HYPERLINK(1)"] } } })
    await at.ask(ADA, DOCS, "gaps 30d")
    await at.use(ADA, at.told(ADA), "gaps_csv")
    const [file] = files(at, ADA_DM)
    expect(file?.name).toBe(`docs-gaps_${PROJECT}_2026-10-21_2026-11-19.csv`)
    const text = file?.content.toString() ?? ""
    expect(text.split("\r\n").length).toBeGreaterThan(12)
    expect(text).toContain("search,scim,")
    expect(text).not.toMatch(/(^|,)"?=HYPER/m)
  })

  test("of somebody else, or in another channel, fill in nobody's form", async () => {
    const at = await bot()
    await at.ask(ADA, DOCS, "gaps")
    const first = () => /"value":"([\w-]+\.0)"/.exec(wordsIn(at.told(ADA)))?.[1] ?? ""
    const value = first()
    const own = await requestForGap(at.deps, { user: ADA, channel: DOCS, value })
    expect(own).toMatchObject({ project: PROJECT, initial: expect.stringContaining("SCIM") })
    expect(await requestForGap(at.deps, { user: BEN, channel: DOCS, value })).toBeUndefined()

    await at.use(ADA, at.told(ADA), "gaps_share").catch(() => {})
    const shared = at.slack
      .channel(DOCS)
      .messages()
      .find((one) => wordsIn(one).includes("gaps_ask"))
    const open = /"value":"([\w-]+\.0)"/.exec(shared ? wordsIn(shared) : "")?.[1] ?? ""
    const anybody = { user: BEN, channel: DOCS, value: open }
    expect(await requestForGap(at.deps, anybody)).toMatchObject({ project: PROJECT })
    expect(await requestForGap(at.deps, { ...anybody, channel: EDITORS })).toBeUndefined()
  })
})

test("nothing personal reaches Slack, Redis or a file", async () => {
  const at = await bot({ docs: { analytics: { conversationsPerDay: 200 } } })
  await at.ask(ADA, DOCS, "gaps 30d")
  await at.use(ADA, at.told(ADA), "gaps_share")
  await at.use(ADA, at.told(ADA), "gaps_csv").catch(() => {})
  const places = {
    slack: JSON.stringify([at.slack.calls, at.slack.ephemerals(ADA)]),
    redis: await dumpRedis(at.redis),
    csv: files(at, ADA_DM)
      .map(({ content }) => content.toString())
      .join(""),
  }
  expect(places.redis).toContain("scim")
  for (const [place, text] of Object.entries(places))
    for (const [name, canary] of Object.entries(CANARIES))
      expect({ place, name, found: text.includes(canary) }).toEqual({ place, name, found: false })
})
