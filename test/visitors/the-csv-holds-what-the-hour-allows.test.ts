import { describe, expect } from "vitest"
import { FAST_TIMING } from "../helpers/test-bed.ts"
import { PROJECT, useVisitors, type VisitorsBed } from "../helpers/visitors.ts"
import { ADA, ADA_DM, DOCS } from "../sandbox/slack/index.ts"

const { test, bed } = useVisitors()

/** Returns what the message about the latest CSV says, which is edited in place. */
const lastWord = (h: VisitorsBed, channel = ADA_DM) =>
  h.said(channel).findLast(({ files }) => files.length === 0)?.text ?? ""
const files = (h: VisitorsBed, channel = ADA_DM) => h.said(channel).flatMap((m) => m.files)

/** Waits for the message with the export's outcome. @returns the file's lines without its header */
async function ended(h: VisitorsBed, says: RegExp, channel = ADA_DM): Promise<string[]> {
  await h.slack.until(() => says.test(lastWord(h, channel)))
  const text = files(h, channel).at(-1)?.content.toString("utf8")
  if (text === undefined) return []
  expect(text.startsWith("\ufeffpath,people,ai,total\r\n")).toBe(true)
  return text.split("\r\n").slice(1, -1)
}

async function getCsv(h: VisitorsBed, words: string, user = ADA) {
  return h.use(user, await h.ask(user, words), "visitors_csv")
}

describe("VIS-8: the CSV", () => {
  test("comes as a direct message with every page, or those of a path, most read first, for no more requests", async (h) => {
    const report = await h.ask(ADA, "2026-11-01..2026-11-07")
    const spent = h.analyticsRequests().length
    expect((await h.use(ADA, report, "visitors_csv")).text).toBe("I'll DM you the CSV.")
    const rows = await ended(h, /^CSV ready · Docs visitors, Nov 1–7, 2026 · 180 pages · docs$/)
    expect(files(h)[0]?.name).toBe(`docs-visitors_docs_2026-11-01_2026-11-07.csv`)
    const truth = h.docs
      .truth(PROJECT, "2026-11-01", "2026-11-08")
      .visitors.map(({ path, human, ai, total }) => `${path},${human},${ai},${total}`)
    const plain = truth.filter((line) => /^\/[\w/-]*,/.test(line))
    expect(plain.length).toBeGreaterThan(100)
    expect(rows).toEqual(expect.arrayContaining(plain))
    expect(rows.join("\r\n")).toContain(`"'=HYPERLINK(""http`)
    const totals = plain.map((line) => Number(line.split(",").at(-1)))
    expect(
      rows.filter((row) => plain.includes(row)).map((row) => Number(row.split(",").at(-1))),
    ).toEqual(totals.toSorted((a, b) => b - a))
    expect(h.analyticsRequests()).toHaveLength(spent)
    expect(files(h, DOCS)).toEqual([])
    await getCsv(h, "7d /guides")
    const below = await ended(h, / under \/guides, .* · \d+ pages/)
    expect(below.length).toBeGreaterThan(3)
    expect(below.every((row) => row.startsWith("/guides"))).toBe(true)
  })

  test("takes a turn for each edit, and ends with a message of its own if none is free", async () => {
    const rates = { ...FAST_TIMING.rates, edit: [3_600_000, 1] } as const
    const h = await bed({ timing: { ...FAST_TIMING, rates } })
    await getCsv(h, "yesterday")
    await ended(h, /^CSV ready/)
    await getCsv(h, "yesterday")
    const outcomes = () => h.said(ADA_DM).filter(({ text }) => text.startsWith("CSV ready"))
    await h.slack.until(() => outcomes().length === 2)
    expect(h.slack.calls.filter(({ method }) => method === "chat.update")).toHaveLength(1)
  })

  test("asked for by several clicks at the same moment is one file", async (h) => {
    const report = await h.ask(ADA, "7d")
    h.slack.fail({ kind: "slow", ms: 100, method: "conversations.open", times: 1 })
    const person = h.slack.as(ADA)
    await Promise.all([1, 2, 3].map(() => person.click(report, "visitors_csv")))
    await ended(h, /180 pages · docs$/)
    const told = () => h.slack.ephemerals(ADA).filter(({ text }) => /CSV/.test(text))
    await h.slack.until(() => told().length === 3)
    expect(files(h)).toHaveLength(1)
    expect(h.slack.channel(ADA_DM).messages()).toHaveLength(2)
  })
})

describe("a CSV that the hour is too short for", () => {
  test("VIS-8: says so in its last line and in the message, and when the rest of the hour comes back", async () => {
    const h = await bed({
      docs: { visitors: { pages: 6_000 } },
      env: { ANALYTICS_PER_HOUR: "20" },
    })
    await getCsv(h, "90d")
    const rows = await ended(h, /^CSV incomplete/)
    expect(lastWord(h)).toMatch(
      /^CSV incomplete · .* · [\d,]+ pages · .*\nThe export stopped at the hourly analytics limit\. For more pages, get the CSV again around /,
    )
    expect(files(h)[0]?.name).toMatch(/_part\.csv$/)
    const stopped = rows.length - 1
    expect(rows.at(-1)).toBe(`(incomplete: stopped after ${stopped} pages),,,`)
    expect(stopped % 250).toBe(0)
    expect(h.analyticsRequests().length).toBeLessThanOrEqual(20)
  })

  test("is no file where nothing could be read", async () => {
    const h = await bed({ env: { ANALYTICS_PER_HOUR: "8" } })
    const report = await h.ask(ADA, "yesterday")
    await h.services.workerRedis.del(...(await h.services.workerRedis.keys("{da}:v:read:page:*")))
    for (const day of ["2026-11-01", "2026-11-02", "2026-11-03"]) await h.ask(ADA, day)
    await h.use(ADA, report, "visitors_csv")
    const says = /^CSV failed · .*\nThe hourly analytics limit has been reached\. Try again around /
    await ended(h, says)
    expect(files(h)).toEqual([])
  })
})

describe("a CSV that meets trouble", () => {
  test("a CSV that the service ends for good is no file, with the reason", async () => {
    const h = await bed({ docs: { visitors: { pages: 6_000 } } })
    const report = await h.ask(ADA, "90d")
    h.docs.fail({ type: "expired_key", kind: "visitors" })
    await h.use(ADA, report, "visitors_csv")
    await ended(h, /^CSV failed · .*\nThe documentation service rejected the API key/)
    expect(files(h)).toEqual([])
  })

  test("says how it failed in a new message where Slack takes no edit", async (h) => {
    const report = await h.ask(ADA, "7d")
    h.slack.fail({ method: "upload", kind: "status", status: 500 })
    h.slack.fail({ method: "chat.update", kind: "error", error: "cant_update_message" })
    await h.use(ADA, report, "visitors_csv")
    await h.slack.until(() => h.said(ADA_DM)[1]?.text.startsWith("Couldn't "))
  })

  test("of no end says that pages may be missing", async () => {
    const h = await bed({ docs: { visitors: { pages: 3_000 } } })
    const report = await h.ask(ADA, "90d")
    h.docs.fail({ type: "endless_export", kind: "visitors" })
    await h.use(ADA, report, "visitors_csv")
    const rows = await ended(h, /Some pages may be missing\.$/)
    expect(rows.at(-1)).toBe("(some pages may be missing),,,")
    expect(new Set(rows).size).toBe(rows.length)
  })

  test.each([
    ["cannot_dm_bot", /If it keeps happening, tell/],
    ["internal_error", /Wait a minute, then get the CSV again/],
  ])("of a direct message (%s) is said where it was asked for", async (error, next) => {
    const h = await bed({ goesOn: "the CSV arrives" })
    const report = await h.ask(ADA, "7d")
    h.slack.fail({ method: "chat.postMessage", kind: "error", error, times: 1 })
    const { text } = await h.use(ADA, report, "visitors_csv")
    expect(text).toMatch(next)
    expect((await h.use(ADA, report, "visitors_csv")).text).toBe("I'll DM you the CSV.")
  })
})
