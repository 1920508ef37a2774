import type { Day } from "../day.ts"
import type { Direction, Verdict } from "./judge.ts"

/** A run of odd days of one kind: said when it begins, and when it is over. */
export interface Story {
  direction: Direction
  /** Its first odd day, and its last one so far. */
  from: Day
  to: Day
}

/** A day and what came, which is kept for the words about it. */
export interface JudgedDay {
  day: Day
  visitors: number
  verdict: Verdict
}

/** What is new about a series since somebody was last told. */
export interface News {
  /** A story that is on, and the day that began it; nothing where it was on before. */
  began?: { story: Story; visitors: number; usual: number }
  /** The story that is over, and the first usual day. */
  over?: { story: Story; visitors: number; usual: number; day: Day }
}

/**
 * Goes on by some days, oldest first. A day of which nothing can be said changes nothing. What
 * began and was over within these days is told as both: after a time without a bot somebody still
 * wants to know. Of several such stories the last one is told. Pure.
 */
export function follow(
  story: Story | undefined,
  days: readonly JudgedDay[],
): { story: Story | undefined; news: News } {
  let now = story
  let news: News = {}
  for (const { day, visitors, verdict } of days) {
    if (verdict.kind === "unknown") continue
    const { usual } = verdict
    if (verdict.kind === "odd" && verdict.direction === now?.direction) {
      now = { ...now, to: day }
      if (news.began) news = { ...news, began: { ...news.began, story: now } }
    } else if (verdict.kind === "odd") {
      now = { direction: verdict.direction, from: day, to: day }
      news = { began: { story: now, visitors, usual } }
    } else if (now) {
      news = { ...news, over: { story: now, visitors, usual, day } }
      now = undefined
    }
  }
  return { story: now, news }
}
