import { describe, expect, test } from "vitest"
import { PROJECT, useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { files, finish, lines, press } from "../../helpers/visitors-export.ts"
import { ADA, ADA_DM, BEN, BEN_DM, DOCS } from "../../sandbox/slack/seed/ids.ts"

const desk = useVisitorsBot()
const HOUR_MS = 3_600_000

const requests = ({ docs }: VisitorsBot) => docs.requests.filter(({ kind }) => kind === "visitors")
const lastWord = ({ slack }: VisitorsBot, channel: string) =>
  slack.channel(channel).messages()[0]?.text ?? ""

/** What the service holds, as lines; only for paths that need no quotes. */
const truthLines = (at: VisitorsBot, from: string, toExclusive: string) =>
  at.docs
    .truth(PROJECT, from, toExclusive)
    .visitors.map(({ path, human, ai, total }) => `${path},${human},${ai},${total}`)

describe("a short export", () => {
  test("comes as a file with every page of the service and its own numbers, for no more requests", async () => {
    const at = await desk()
    const report = await at.ask(ADA, DOCS, "2026-11-01..2026-11-07")
    const spent = requests(at).length
    await at.use(ADA, report, "visitors_csv")
    expect(at.told(ADA).text).toBe("I'll DM you the CSV.")
    await finish(at)

    const [file, ...more] = files(at, ADA_DM)
    expect(more).toEqual([])
    expect(file?.name).toBe(`docs-visitors_${PROJECT}_2026-11-01_2026-11-07.csv`)
    const rows = lines(file)
    const plain = truthLines(at, "2026-11-01", "2026-11-08").filter((line) =>
      /^\/[\w/-]*,/.test(line),
    )
    expect(plain.length).toBeGreaterThan(100)
    expect(rows).toEqual(expect.arrayContaining(plain))
    expect(rows.join("\r\n")).toContain(`"'=HYPERLINK(""http`)
    expect(rows.join("\r\n")).toContain("<!channel>")
    expect(lastWord(at, ADA_DM)).toContain("Visitors of docs-site, 1–7 Nov 2026 (CSV): 180 pages.")
    expect(requests(at)).toHaveLength(spent)
    expect(files(at, DOCS)).toEqual([])
  })

  test.each([
    ["visitors_range", "Last 7 days", /,(\d+)$/],
    ["visitors_sort", "Sort by AI", /,(\d+),\d+$/],
  ])("has its rows in the order of the table after %s %s", async (control, choice, figure) => {
    const at = await desk()
    const report = await at.ask(ADA, DOCS, "7d")
    const shown = await at.use(ADA, report, control, choice)
    await at.use(ADA, shown, "visitors_csv")
    await finish(at)
    const figures = lines(files(at, ADA_DM)[0]).map((row) => Number(figure.exec(row)?.[1]))
    expect(figures.length).toBeGreaterThan(100)
    expect(figures).toEqual(figures.toSorted((a, b) => b - a))
  })

  test("of a filter holds the pages that match", async () => {
    const at = await desk()
    await press(at, "7d /guides")
    await finish(at)
    const rows = lines(files(at, ADA_DM)[0])
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.every((row) => row.startsWith("/guides"))).toBe(true)
    expect(lastWord(at, ADA_DM)).toContain("pages matching /guides")
  })

  test("asked for by two people is read once and reaches both", async () => {
    const at = await desk({ docs: { visitors: { pages: 3_000 } }, perHour: 1_000 })
    await press(at, "90d", ADA)
    const before = requests(at).length
    await press(at, "90d", BEN)
    expect(at.told(BEN).text).toContain("Someone just asked for the same CSV")
    await finish(at)
    expect(files(at, ADA_DM)).toHaveLength(1)
    expect(files(at, BEN_DM)[0]?.content).toEqual(files(at, ADA_DM)[0]?.content)
    const pages = requests(at)
      .slice(before)
      .filter(({ query }) => query.limit === "250")
    expect(pages.map(({ query }) => Number(query.offset))).toEqual(pages.map((_, i) => i * 250))
  })
})

describe("a long export", () => {
  test("has each page exactly once, page n at offset (n - 1) * 250", async () => {
    const at = await desk({ docs: { visitors: { pages: 10_000 } }, perHour: 2_000 })
    await press(at, "2026-08-22..2026-11-19")
    expect(at.told(ADA).text).toBe("I'll DM you the CSV.")
    const before = requests(at).length
    await finish(at)

    const truth = at.docs.truth(PROJECT, "2026-08-22", "2026-11-20").visitors
    expect(truth.length).toBeGreaterThan(9_000)
    const rows = lines(files(at, ADA_DM)[0])
    expect(rows).toHaveLength(truth.length)
    expect(new Set(rows).size).toBe(rows.length)
    expect(rows.at(-1)).toContain(
      `,${truth.at(-1)?.human},${truth.at(-1)?.ai},${truth.at(-1)?.total}`,
    )
    const offsets = requests(at)
      .slice(before)
      .map(({ query }) => Number(query.offset))
    expect(offsets).toEqual(
      Array.from({ length: Math.ceil(truth.length / 250) }, (_, i) => i * 250),
    )
  }, 60_000)

  test("that needs more than the hour has left asks first, goes on for hours and shows how far it is", async () => {
    const at = await desk({ docs: { visitors: { pages: 40_000 }, requestLogSize: 10_000 } })
    await press(at, "90d")
    const question = at.told(ADA)
    expect(question.text).toMatch(
      /^This CSV takes about 2 hours. It has about [\d,]+ pages and needs up to (\d+) requests; (\d+) are left this hour\./,
    )
    expect(await at.redis.zcard("{da}:v:x-due")).toBe(0)
    await at.use(ADA, question, "visitors_csv_start")
    // How far one pass comes depends on the machine: it goes on until the hour is used up.
    const waits = /: [\d,]+ of about [\d,]+ pages read\. .* continuing around/
    for (let pass = 0; pass < 100 && !waits.test(lastWord(at, ADA_DM)); pass++) await at.exports()
    expect(lastWord(at, ADA_DM)).toMatch(waits)
    expect(files(at, ADA_DM)).toEqual([])
    // Somebody who asks meanwhile finds the part of the hour that exports leave alone.
    expect((await at.ask(BEN, DOCS, "yesterday")).text).toContain("People")

    const hours = await finish(at)
    expect(hours).toBeLessThanOrEqual(3)
    const truth = at.docs.truth(PROJECT, "2026-08-22", "2026-11-20").visitors
    expect(lines(files(at, ADA_DM)[0])).toHaveLength(truth.length)
    const times = requests(at).map(({ at: when }) => when)
    for (const [i, first] of times.entries()) {
      const hundredLater = times[i + 100]
      if (hundredLater !== undefined) expect(hundredLater - first).toBeGreaterThan(HOUR_MS)
    }
  }, 60_000)

  test("goes on in another process where the first one died, without a page twice", async () => {
    const at = await desk({ docs: { visitors: { pages: 6_000 } }, perHour: 1_000 })
    await press(at, "90d")
    const dead = await at.deps.exports.exports.claim(90_000)
    if (!dead) throw new Error("Nothing was claimed")
    const page = {
      nextOffset: 250,
      lines: [{ key: "a", text: "/a,1,1,1\r\n" }],
      repeats: 0,
      leaseMs: 90_000,
    }
    expect(await at.deps.exports.exports.append(dead, page)).toMatchObject({ fresh: 1 })
    expect(await at.another().exports()).toBeGreaterThan(0)
    at.clock.now += 90_001
    const other = at.another()
    await other.exports()
    // The first one wakes up again and changes nothing, while the other goes on and when it is done.
    expect(await at.deps.exports.exports.append(dead, page)).toBeUndefined()
    for (let pass = 0; pass < 4; pass++) await other.exports()
    expect(await at.deps.exports.exports.append(dead, page)).toBeUndefined()
    const rows = lines(files(at, ADA_DM)[0])
    expect(new Set(rows).size).toBe(rows.length)
    expect(rows[0]).toBe("/a,1,1,1")
    expect(rows).toHaveLength(
      at.docs.truth(PROJECT, "2026-08-22", "2026-11-20").visitors.length - 249,
    )
  })
})

describe("an export that meets trouble", () => {
  const six = { docs: { visitors: { pages: 6_000 } }, perHour: 1_000 }

  test("waits for a service that is down and goes on where it was", async () => {
    const at = await desk(six)
    await press(at, "90d")
    const fault = at.docs.fail({ type: "status", status: 503, kind: "visitors" })
    await at.exports()
    expect(await at.exports()).toBeGreaterThan(0)
    fault.clear()
    at.clock.now += 6_000
    await finish(at)
    const truth = at.docs.truth(PROJECT, "2026-08-22", "2026-11-20").visitors
    expect(lines(files(at, ADA_DM)[0])).toHaveLength(truth.length)
  })

  test("that the service ends for good sends no file and says how far it came", async () => {
    const at = await desk(six)
    await press(at, "90d")
    at.docs.subscribe((event) => {
      if (event.type === "request" && event.request.query.offset === "1000")
        at.docs.fail({ type: "expired_key", kind: "visitors", times: 1 })
    })
    await finish(at)
    expect(files(at, ADA_DM)).toEqual([])
    expect(lastWord(at, ADA_DM)).toMatch(
      /stopped after 1,250 pages. The service rejected the API key/,
    )
    expect(lastWord(at, ADA_DM)).toContain("No file")
  })

  test.each([
    ["endless_export", "sent the same pages again"],
    ["empty_page", "sent none"],
  ] as const)("of no end (%s) is a part and called one", async (type, words) => {
    const at = await desk(six)
    await press(at, "90d")
    const fault = at.docs.fail({ type, kind: "visitors" })
    await finish(at)
    fault.clear()
    const [file] = files(at, ADA_DM)
    expect(file?.name).toMatch(/_part\.csv$/)
    expect(lastWord(at, ADA_DM)).toContain("Incomplete")
    expect(lastWord(at, ADA_DM)).toContain(words)
    expect(new Set(lines(file)).size).toBe(lines(file).length)
  })

  test.each([400, 9_000])(
    "of a page with %i rows, though 250 were asked for, ends with a word to its owner",
    async (count) => {
      const at = await desk(six)
      await press(at, "90d")
      const figures = { human: 1, ai: 1, total: 1 }
      const visitors = Array.from({ length: count }, (_, n) => ({ path: `/p${n}`, ...figures }))
      const text = JSON.stringify({ totals: figures, visitors, hasMore: true })
      at.docs.fail({ type: "body", text, kind: "visitors" })
      expect(await finish(at)).toBe(0)
      expect(files(at, ADA_DM)).toEqual([])
      expect(lastWord(at, ADA_DM)).toMatch(/^No file: .* more pages at once than it was asked for/)
    },
  )

  test("that nobody expected counts as a failed attempt, and the owner hears of it one day", async () => {
    const at = await desk(six)
    await press(at, "90d")
    const [id] = await at.redis.zrange("{da}:v:x-due", "0", "-1")
    const seen = `{da}:v:x:${id}:seen`
    const stop = at.docs.subscribe((event) => {
      // Changed by hand in the middle of an attempt, and mended before the next one.
      if (event.type === "request") void at.redis.set(seen, "another type of value")
    })
    let attempts = 0
    while ((await at.redis.zcard("{da}:v:x-due")) > 0 && attempts < 100) {
      await at.redis.del(seen)
      await expect(at.exports()).rejects.toThrow(/WRONGTYPE/)
      attempts += 1
      at.clock.now += 15 * 60_000
    }
    stop()
    expect(attempts).toBeLessThan(30)
    expect(lastWord(at, ADA_DM)).toMatch(/^No file: .* Something went wrong on my side/)
  })

  test("of Slack is sent again, whole", async () => {
    const at = await desk()
    await press(at, "7d")
    at.slack.fail({ method: "upload", kind: "reset", when: "before", times: 1 })
    await finish(at)
    expect(lines(files(at, ADA_DM)[0])).toHaveLength(180)
  })

  test("of a missing permission tells what an admin can do", async () => {
    const at = await desk({ slack: { scopes: ["chat:write", "commands", "im:write"] } })
    await press(at, "7d")
    await finish(at)
    expect(lastWord(at, ADA_DM)).toContain("`files:write` permission, which an admin can add")
  })

  test.each([
    ["cannot_dm_bot", /Check that you haven't blocked the app/],
    ["internal_error", /Wait a minute, then ask for the file again/],
  ])("of a direct message (%s) is said where it was asked", async (error, next) => {
    const at = await desk()
    const report = await at.ask(ADA, DOCS, "7d")
    at.slack.fail({ method: "chat.postMessage", kind: "error", error })
    await at.use(ADA, report, "visitors_csv")
    const { text } = at.told(ADA)
    expect(text).toContain(`Slack doesn't allow it (\`${error}\`)`)
    expect(text).toMatch(next)
    expect(await at.redis.zcard("{da}:v:x-due")).toBe(0)
  })
})

test("the file leaves the store page by page, to the byte as long as it says", async () => {
  const at = await desk({ docs: { visitors: { pages: 3_000 } }, perHour: 1_000 })
  await press(at, "90d")
  const { exports } = at.deps.exports
  let claimed = await exports.claim(90_000)
  for (let page = 0; claimed && page < 100; page++) {
    const lines = Array.from({ length: 250 }, (_, n) => ({
      key: `${page}.${n}`,
      text: `/日本語/${"p".repeat(80)}${page}.${n},1,1,1\r\n`,
    }))
    const read = { nextOffset: (page + 1) * 250, lines, repeats: 0, leaseMs: 90_000 }
    claimed = (await exports.append(claimed, read))?.claimed
  }
  const csv = claimed?.export
  expect(csv).toMatchObject({ rows: 25_000, pages: 100 })
  const sizes: number[] = []
  for await (const chunk of exports.content(csv?.id ?? "")) sizes.push(Buffer.byteLength(chunk))
  expect(sizes).toHaveLength(101)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(csv?.bytes)
  expect(Math.max(...sizes)).toBeLessThan(40_000)
})
