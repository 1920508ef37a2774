import { describe, expect, test } from "vitest"
import { judge, type Verdict } from "../../../src/visitors/alerts/judge.ts"
import { follow, type JudgedDay } from "../../../src/visitors/alerts/story.ts"

const EIGHT = [1010, 980, 1000, 1040, 960, 1020, 990, 1005]

describe("a day against its weekday", () => {
  test.each<[string, number, readonly number[], Verdict]>([
    ["half of it is a drop", 500, EIGHT, { kind: "odd", direction: "drop", usual: 1002.5 }],
    ["twice of it is a spike", 2000, EIGHT, { kind: "odd", direction: "spike", usual: 1002.5 }],
    ["a fifth less is not", 800, EIGHT, { kind: "usual", usual: 1002.5 }],
    ["a third more is not", 1333, EIGHT, { kind: "usual", usual: 1002.5 }],
    ["three weeks are too few", 100, [1000, 1000, 1000], { kind: "unknown" }],
    ["four are enough", 100, EIGHT.slice(0, 4), { kind: "odd", direction: "drop", usual: 1005 }],
    [
      "weeks without data do not count",
      100,
      [0, 0, 0, 0, 0, 1000, 1000, 1000],
      { kind: "unknown" },
    ],
    ["an empty day says nothing", 0, EIGHT, { kind: "unknown" }],
    ["under 50 nothing is said", 200, EIGHT.map(() => 49), { kind: "unknown" }],
    ["from 50 on it is", 200, EIGHT.map(() => 50), { kind: "odd", direction: "spike", usual: 50 }],
    [
      "one odd week among the eight changes nothing",
      500,
      [...EIGHT.slice(1), 9000],
      { kind: "odd", direction: "drop", usual: 1002.5 },
    ],
  ])("%s", (_, visitors, before, verdict) => {
    expect(judge(visitors, before)).toEqual(verdict)
  })

  test("where a weekday differs much by itself, half is not odd", () => {
    expect(judge(500, [400, 1900, 900, 1500, 500, 1100, 2400, 1000]).kind).toBe("usual")
  })
})

const odd = (direction: "spike" | "drop"): Verdict => ({ kind: "odd", direction, usual: 100 })
const USUAL: Verdict = { kind: "usual", usual: 100 }
const NOTHING: Verdict = { kind: "unknown" }
const days = (...verdicts: Verdict[]): JudgedDay[] =>
  verdicts.map((verdict, n) => ({ day: `2026-11-0${n + 1}`, visitors: 10 + n, verdict }))

describe("a run of odd days", () => {
  test("is said when it begins, and when it is over, and not in between", () => {
    const first = follow(undefined, days(odd("drop")))
    expect(first.news.began).toMatchObject({ story: { direction: "drop", from: "2026-11-01" } })
    const second = follow(first.story, days(NOTHING, odd("drop")).slice(1))
    expect(second.news).toEqual({})
    const third = follow(second.story, days(NOTHING, NOTHING, USUAL).slice(2))
    expect(third.story).toBeUndefined()
    expect(third.news.over).toEqual({
      story: { direction: "drop", from: "2026-11-01", to: "2026-11-02" },
      visitors: 12,
      usual: 100,
      day: "2026-11-03",
    })
    expect(third.news.began).toBeUndefined()
  })

  test("is not over on a day of which nothing can be said", () => {
    const { story } = follow(undefined, days(odd("spike")))
    expect(follow(story, days(NOTHING))).toEqual({ story, news: {} })
  })

  test("of the other kind is another story", () => {
    const { story } = follow(undefined, days(odd("spike")))
    const { news } = follow(story, days(NOTHING, odd("drop")).slice(1))
    expect(news.began?.story).toEqual({ direction: "drop", from: "2026-11-02", to: "2026-11-02" })
  })

  test("that came and went while nobody looked is told as one", () => {
    const { story, news } = follow(undefined, days(USUAL, odd("drop"), odd("drop"), USUAL, USUAL))
    expect(story).toBeUndefined()
    expect(news.began?.visitors).toBe(11)
    expect(news.over?.story).toEqual({ direction: "drop", from: "2026-11-02", to: "2026-11-03" })
  })
})
