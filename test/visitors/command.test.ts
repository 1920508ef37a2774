import { describe, expect, test } from "vitest"
import { isCommandFault, parseCommand } from "../../src/visitors/parse-command.ts"
import { faultMessage } from "../../src/visitors/visitors-help.ts"

/** Current day of these tests, a Friday. */
const TODAY = "2026-11-20"
const parse = (text: string) => parseCommand(text, "docs", TODAY)
const LAST_QUARTER = { from: "2026-07-01", to: "2026-09-30", unit: "quarter" }
const WEEK = { from: "2026-11-13", to: "2026-11-19" }

describe("VIS-1: a report is asked for by a range and a path", () => {
  test.each([
    ["", WEEK, undefined],
    ["7d /guides", WEEK, "/guides"],
    ["/guides 7d", WEEK, "/guides"],
    ["/guides last 7 days", WEEK, "/guides"],
    ["/guides the last 7 days", WEEK, "/guides"],
    ["/getting started", WEEK, "/getting started"],
    ["/caf%C3%A9?from=mail", WEEK, "/caf\u00e9"],
    ["https://docs.example.com/guides/start?from=mail#top 7d", WEEK, "/guides/start"],
    ["last quarter https://docs.example.com", LAST_QUARTER, "/"],
    ["7d for /guides", WEEK, "/guides"],
    ["/guides in november", { from: "2026-11-01", to: TODAY, unit: "month" }, "/guides"],
    ["/log in", WEEK, "/log in"],
    ["/guides from november 1 to 7 nov", { from: "2026-11-01", to: "2026-11-07" }, "/guides"],
    ["november 2025", { from: "2025-11-01", to: "2025-11-30", unit: "month" }, undefined],
    ["dec", { from: "2025-12-01", to: "2025-12-31", unit: "month" }, undefined],
    ["3 months", { from: "2026-08-20", to: "2026-11-19" }, undefined],
  ])("“%s”", (text, range, filter) => {
    const selection = { project: "docs", range, page: 1, ...(filter ? { filter } : {}) }
    expect(parse(text)).toEqual({ kind: "report", selection })
  })
})

test.each([
  ["subscribe weekly", { every: "weekly", hour: 9, minute: 0 }],
  ["subscribe daily at 8:05", { every: "daily", hour: 8, minute: 5 }],
  ["SUBSCRIBE monthly 23:59", { every: "monthly", hour: 23, minute: 59 }],
  // As the answer writes it.
  ["subscribe weekly at 8:30 PM", { every: "weekly", hour: 20, minute: 30 }],
  ["subscribe daily at 12:00 AM", { every: "daily", hour: 0, minute: 0 }],
  ["subscribe daily at 12pm", { every: "daily", hour: 12, minute: 0 }],
  ["subscribe daily 9", { every: "daily", hour: 9, minute: 0 }],
])("“%s” subscribes", (text, rhythm) => {
  expect(parse(text)).toEqual({ kind: "subscribe", rhythm })
})

test.each([
  ["alert on", { kind: "alert", watched: {} }],
  ["alert off ai", { kind: "off", what: "alert", named: { of: "ai" } }],
  [
    "alert on people /get started",
    { kind: "alert", watched: { of: "human", filter: "/get started" } },
  ],
  ["alert on /cafe\u0301", { kind: "alert", watched: { filter: "/caf\u00e9" } }],
  ["alert on https://docs.example.com/guides", { kind: "alert", watched: { filter: "/guides" } }],
  ["alert on /guides AI", { kind: "alert", watched: { of: "ai", filter: "/guides" } }],
  ["alerts list", { kind: "list", what: "alert" }],
  ["alert list people /guides", { kind: "list", what: "alert" }],
  ["alerts", { kind: "list", what: "alert" }],
  ["unsubscribe", { kind: "off", what: "digest", named: {} }],
  ["unsubscribe weekly", { kind: "off", what: "digest", named: { every: "weekly" } }],
  [
    "gaps 2 weeks",
    { kind: "gaps", project: "docs", range: { from: "2026-11-06", to: "2026-11-19" } },
  ],
])("“%s” is understood", (text, command) => {
  expect(parse(text)).toEqual(command)
})

test.each([
  ["subscribe", "unknown"],
  ["subscribe daily at 25:00", "unknown"],
  ["subscribe daily at 13:00 PM", "unknown"],
  ["subscribe weekly gaps", "unknown"],
  ["subscribe weekly /guides", "unknown"],
  ["unsubscribe hourly", "unknown"],
  ["alert", "unknown"],
  ["alert on robots", "unknown"],
  ["alert on people ai", "unknown"],
  ["2 years", "too_long"],
  ["december 2026", "future"],
  [`/${"a".repeat(300)}`, "long_filter"],
  ["<constructor> {}", "unknown"],
  ["__proto__", "unknown"],
  ["13/11/2026", "unknown"],
  ["20261101", "unknown"],
])("“%s” is not", (text, kind) => {
  expect(parse(text)).toMatchObject({ kind, words: expect.any(String) })
  expect(parse(text)).not.toHaveProperty("meant")
})

test.each(["gaps 2 years", "subscribe", "feedback maybe", "alert on robots"])(
  "VIS-2: “%s” is answered with examples of that command, each of which is understood",
  (text) => {
    const fault = parse(text)
    if (!isCommandFault(fault)) throw new Error(`${text} is understood`)
    const examples = [...faultMessage(fault).text.matchAll(/• `?\/docs-visitors ([^\n`]+)/g)]
    expect(examples.length).toBeGreaterThan(1)
    for (const [, example = ""] of examples) {
      expect(example).toContain(text.split(" ")[0])
      expect(isCommandFault(parse(example))).toBe(false)
    }
  },
)

test.each([
  ["yesteday", "yesterday"],
  ["last mnth", "last month"],
  ["novmber 2025", "november 2025"],
  ["gap 30d", "gaps 30d"],
  ["subcribe weekly at 9:00", "subscribe weekly at 9:00"],
  ["aletr on", "alert on"],
  ["alert lst", "alert list"],
  ["alret off ai", "alert off ai"],
  ["subscibe weekyl at 9:00", "subscribe weekly at 9:00"],
  ["alert on peple /the lst", "alert on people /the lst"],
  ["last qarter", "last quarter"],
  ["quickstart", "/quickstart"],
  ["2fa", "/2fa"],
  ["getting started last month", "last month /getting-started"],
  ["docs.example.com/Guides 30d", "/Guides 30d"],
  ["/guides/*", "/guides"],
  ["/guides/* 30d", "/guides 30d"],
  ["/*", "/"],
  ["alert on people /guides/*", "alert on people /guides"],
  ["/guides, /api", "/guides"],
  ["ai", "7d"],
  ["how many people read the docs last week?", "last week"],
  ["this week vs last week", "this week"],
  ["api reference last month", "last month /api-reference"],
  ["top 10 pages in october", "in october"],
  ["30", "30d"],
  ["10/2026", "2026-10"],
  ["1-7 nov", "1 nov to 7 nov"],
  ["last-week", "last week"],
  ["mtd /guides", "this month /guides"],
  ["wtd", "this week"],
  ["ytd", "this year"],
  ["all time", "365d"],
  ["09.11.2026", "2026-11-09"],
  ["nov 1-7", "nov 1 to nov 7"],
  ["weekly", "subscribe weekly"],
  ["7 days ago", "7 days"],
  ["11/1/2026", "2026-11-1"],
  ["2026/11/1 2026/11/7", "2026-11-1..2026-11-7"],
  ["between nov 1 and nov 7", "nov 1 to nov 7"],
  ["since october 1st", "october 1 to today"],
  ["last friday", "2026-11-13"],
  ["unanswered questions this month", "gaps this month"],
  ["gaps /guides", "gaps"],
  ["subscribe me weekly", "subscribe weekly"],
])("VIS-2: “%s” is close to “%s”", (text, meant) => {
  expect(parse(text)).toMatchObject({ meant })
})

/** Lines as people type them, written down before the rules that read them. */
const TYPED = `; 7d; 30d; 90d; 14 days; last 30 days; past 2 weeks; last week; this week; Week; month;
  this month; last month; Today; yesterday; october; Oct; oct 2025; last november; 2026-10;
  10/2026; 2026-11-01..2026-11-07; 2026-11-01..07; 2026-11-01 - 2026-11-07;
  2026-11-01 to 2026-11-07; from 2026-11-01 to 2026-11-07; 2026-11-01 2026-11-07; 2026/11/01;
  11/9/2026; 09.11.2026; Nov 1-7; nov 1 - nov 7; 1-7 nov; november 9th; 2025; this year;
  last year; ytd; Q3; q3 2026; last quarter; 6 months; 3mo; 24h; last 24 hours; last 7; 30;
  7 d; 7days; past week; the last 3 days; since monday; since nov 1; monday; last friday;
  two weeks; all time; lst month; yesteday; last moth; novmber; 30dd; /guides; /guides/;
  /guides/*; /api-reference/auth 30d; 30d /guides; last month for /guides;
  https://docs.acme.com/quickstart; docs.acme.com/quickstart; quickstart; guides 30d;
  guides/webhooks; getting started; api reference last month; ai; ai traffic last month;
  bots 30d; how many visitors yesterday?; how many people read the docs last week; top pages;
  top 10 pages this month; show me last month; report for october; stats 2 weeks;
  csv last month; october vs september; traffic on november 9; help; gaps; gaps last month;
  gap 30d; feedback 30d; what did readers not find; subscribe; subscribe weekly at 9am;
  suscribe daily; alerts on`

test("VIS-2: at least 85 of 98 lines as people type them are answered, or one click away", () => {
  const lines = TYPED.split(/;\s/)
  expect(lines).toHaveLength(98)
  const lost = lines.filter((line) => {
    const command = parse(line)
    return "words" in command && command.meant === undefined
  })
  expect(98 - lost.length, lost.join("; ")).toBeGreaterThanOrEqual(85)
})
