import { seedOf, unit, weighted } from "../../kit/random.ts"
import { type DayRange, utcDayOf } from "../visitors/utc-day.ts"

interface FeedbackEntry {
  readonly path: string
  readonly source: "contextual" | "code_snippet" | "agent" | "thumbs_only"
  readonly isHelpful: boolean
}

interface PageFeedback {
  readonly path: string
  readonly thumbsUp: number
  readonly thumbsDown: number
  readonly code: number
  readonly total: number
}

/** Path, relative amount of feedback, and fraction of it that is thumbs up. */
const PAGES: readonly (readonly [string, number, number])[] = [
  ["/guides/single-sign-on", 20, 0.1],
  ["/guides/webhooks", 16, 0.3],
  ["/installation", 12, 0.45],
  ["/quickstart", 20, 0.9],
  ["/api-reference/authentication", 14, 0.8],
  ["/api-reference/rate-limits", 6, 0.7],
  ["/concepts/projects", 5, 0.6],
  ["/pricing-and-plans", 4, 0.2],
  ["/ja/はじめに/認証", 2, 0.5],
  ["/changelog", 3, 0.95],
  ["/guides/imports", 2, 0.4],
]
const PER_DAY = 12
const DAY_MS = 86_400_000

export function feedbackOf(projectId: string, range: DayRange, now: number): FeedbackEntry[] {
  const seed = seedOf(projectId)
  const entries: FeedbackEntry[] = []
  for (let day = Math.min(range.to - 1, utcDayOf(now)); day >= range.from; day--) {
    for (let n = PER_DAY - 1; n >= 0; n--) {
      const at = day * DAY_MS + Math.floor(((n + 0.5) / PER_DAY) * DAY_MS)
      if (at <= now) entries.push(entry(seed, day, n))
    }
  }
  return entries
}

/** Returns "Feedback counts aggregated by documentation page path", in arbitrary stable order. */
export function feedbackByPage(entries: readonly FeedbackEntry[]): PageFeedback[] {
  const paths = [...new Set(entries.map(({ path }) => path))]
  return paths
    .toSorted((a, b) => seedOf(a) - seedOf(b))
    .map((path) => {
      const own = entries.filter((one) => one.path === path)
      const contextual = own.filter(({ source }) => source === "contextual")
      const thumbsUp = contextual.filter(({ isHelpful }) => isHelpful).length
      return {
        path,
        thumbsUp,
        thumbsDown: contextual.length - thumbsUp,
        code: own.filter(({ source }) => source === "code_snippet").length,
        total: own.length,
      }
    })
}

function entry(seed: number, day: number, n: number): FeedbackEntry {
  const luck = (what: number) => unit(seed + what, day, n)
  const [path, , share] = weighted(PAGES, ([, weight]) => weight, luck(41))
  return { path, source: sourceAt(luck(42)), isHelpful: luck(46) < share }
}

function sourceAt(luck: number): FeedbackEntry["source"] {
  if (luck < 0.7) return "contextual"
  return luck < 0.8 ? "code_snippet" : luck < 0.9 ? "agent" : "thumbs_only"
}
