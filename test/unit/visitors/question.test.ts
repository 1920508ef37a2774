import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseCommand } from "../../../src/handlers/visitors/parse-command.ts"
import { isQuestionFault, parseQuestion } from "../../../src/visitors/question.ts"
import { holds } from "../../helpers/property.ts"

const TODAY = "2026-11-20"
const SEVEN = { from: "2026-11-13", to: "2026-11-19" }
const THIRTY = { from: "2026-10-21", to: "2026-11-19" }
const WEEK = { from: "2026-11-09", to: "2026-11-15" }

const ask = (text: string) => parseQuestion(text, "docs", TODAY)
const question = (rest: object) => ({
  project: "docs",
  range: SEVEN,
  by: "total",
  page: 1,
  ...rest,
})

describe("a question", () => {
  it.each([
    ["", {}],
    ["   ", {}],
    ["30d", { range: THIRTY }],
    ["last week", { range: WEEK }],
    ["/guides", { filter: "/guides" }],
    ["30d /guides", { range: THIRTY, filter: "/guides" }],
    ["/guides 30d", { range: THIRTY, filter: "/guides" }],
    ["/guides last week", { range: WEEK, filter: "/guides" }],
    ["last week /guides by ai", { range: WEEK, filter: "/guides", by: "ai" }],
    ["by human", { by: "human" }],
    ["by people 30d", { range: THIRTY, by: "human" }],
    ["30d BY AI /guides", { range: THIRTY, filter: "/guides", by: "ai" }],
    ["*api*", { filter: "*api*" }],
    ["7d *", { filter: "*" }],
    ["7d /getting started", { filter: "/getting started" }],
    ['7d "/stand by me"', { filter: "/stand by me" }],
    ["7d “guides”", { filter: "guides" }],
    ["7d /日本語/ガイド", { filter: "/日本語/ガイド" }],
    ["2026-11-09 .. 2026-11-15 /a..b", { range: WEEK, filter: "/a..b" }],
    [
      "2026-11-09.. /guides",
      { range: { from: "2026-11-09", to: "2026-11-20" }, filter: "/guides" },
    ],
    ["2026-11-09 ..", { range: { from: "2026-11-09", to: "2026-11-20" } }],
  ])("%j", (text, rest) => {
    expect(ask(text)).toEqual(question(rest))
  })

  it.each([
    ["7 dayz", { kind: "unknown", words: "7 dayz" }],
    ["7d guides", { kind: "unknown", words: "guides" }],
    ["last week please", { kind: "unknown", words: "please" }],
    ["10 years", { kind: "unknown", words: "10 years" }],
    ["2026-02-30", { kind: "no_such_day", words: "2026-02-30" }],
    ["by robots", { kind: "unknown_figure", words: "by robots" }],
    ["7d by", { kind: "unknown_figure", words: "by" }],
    [`/${"x".repeat(300)}`, { kind: "long_filter", words: `/${"x".repeat(300)}` }],
  ])("%j is not understood", (text, fault) => {
    expect(ask(text)).toEqual(fault)
  })

  it("takes anything typed without an exception", async () => {
    await holds(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const result = ask(text)
        expect(isQuestionFault(result) || result.page === 1).toBe(true)
      }),
    )
  })
})

describe("the command", () => {
  const parse = (text: string) => parseCommand(text, "docs", TODAY)

  it.each([
    ["help", { kind: "help" }],
    ["subscriptions", { kind: "subscriptions" }],
    ["unsubscribe", { kind: "unsubscribe", every: undefined }],
    ["unsubscribe weekly", { kind: "unsubscribe", every: "weekly" }],
    ["subscribe weekly", { kind: "subscribe", rhythm: { every: "weekly", hour: 9, minute: 0 } }],
    ["Subscribe Daily 7:05", { kind: "subscribe", rhythm: { every: "daily", hour: 7, minute: 5 } }],
    [
      "subscribe monthly at 23:59",
      { kind: "subscribe", rhythm: { every: "monthly", hour: 23, minute: 59 } },
    ],
    ["", { kind: "ask", question: question({}) }],
    ["7d", { kind: "ask", question: question({}) }],
  ])("%j", (text, command) => {
    expect(parse(text)).toEqual(command)
  })

  it.each([
    ["subscribe", ""],
    ["subscribe hourly", "hourly"],
    ["subscribe weekly at", "weekly at"],
    ["subscribe weekly 24:00", "weekly 24:00"],
    ["subscribe weekly 9:60", "weekly 9:60"],
    ["subscribe weekly 09:00 please", "weekly 09:00 please"],
    ["unsubscribe everything", "everything"],
  ])("%j is not understood", (text, words) => {
    expect(parse(text)).toEqual({ kind: "schedule_fault", words })
  })
})
