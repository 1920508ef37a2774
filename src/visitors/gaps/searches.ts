import type { Search } from "../../ports/docs-api.ts"
import { wordsOf } from "./likeness.ts"

/** A search that leads nowhere. */
export interface LostSearch {
  text: string
  hits: number
  /** Of these, the ones after which no page was opened. */
  lost: number
  /** The page that is opened by the few who open one. */
  path?: string
}

/** Fewer searches may be one person's typing. */
const FEWEST_HITS = 3
/** Share of searches that lead to a page; with more the search works for people. */
const FEW_CLICKS = 0.1

/**
 * Searches after which hardly anybody opens a page, by how many were left with nothing. The same words
 * in capitals are the same search. Pure.
 */
export function lostSearches(searches: readonly Search[]): LostSearch[] {
  const share = clickShare(searches)
  const merged = new Map<string, LostSearch>()
  for (const { text, hits, clicks, path } of searches) {
    const key = text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim()
    // What is masked from end to end says nothing about the docs.
    if (wordsOf(text).size === 0) continue
    const lost = hits * (1 - (path === undefined ? 0 : share(clicks)))
    const known = merged.get(key)
    merged.set(key, {
      text: known?.text ?? text,
      hits: (known?.hits ?? 0) + hits,
      lost: (known?.lost ?? 0) + lost,
      ...pathOf(known?.path ?? path),
    })
  }
  return [...merged.values()]
    .filter(({ hits, lost }) => hits >= FEWEST_HITS && lost > hits * (1 - FEW_CLICKS))
    .toSorted((a, b) => b.lost - a.lost || (a.text < b.text ? -1 : 1))
    .map((search) => ({ ...search, lost: Math.round(search.lost) }))
}

/**
 * Whether a click rate of 25 or of 0.25 is a quarter is not documented: one rate above 1 says that all
 * of them are percent.
 */
function clickShare(searches: readonly Search[]): (clicks: number) => number {
  const whole = searches.some(({ clicks }) => clicks > 1) ? 100 : 1
  return (clicks) => Math.min(1, Math.max(0, clicks / whole))
}

function pathOf(path: string | undefined): { path?: string } {
  return path === undefined ? {} : { path }
}
