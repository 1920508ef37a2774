import type { WatchedKind } from "./ports.ts"
import type { AlertChoice } from "./toggle.ts"

/** What somebody wants of the alerts of a channel. */
export type AlertCommand = { do: "on" | "off"; choice: AlertChoice } | { do: "list" }

/** Longest filter, code points: as in a question about visitors. */
const MAX_FILTER = 300

const KINDS: Readonly<Record<string, WatchedKind>> = {
  people: "human",
  humans: "human",
  human: "human",
  ai: "ai",
}

/** `on|off [people|ai] [/path]` or `list`; undefined for anything else. A path may hold spaces. */
export function parseAlert(text: string): AlertCommand | undefined {
  const [verb = "", ...rest] = text.trim().split(/\s+/)
  const what = verb.toLowerCase()
  if (what === "list") return rest.length === 0 ? { do: "list" } : undefined
  if (what !== "on" && what !== "off") return undefined
  const [first = "", ...more] = rest
  const of = Object.hasOwn(KINDS, first.toLowerCase()) ? KINDS[first.toLowerCase()] : undefined
  const filter = (of === undefined ? rest : more).join(" ")
  const isFilter = filter === "" || filter.startsWith("/") || filter.includes("*")
  if (!isFilter || Array.from(filter).length > MAX_FILTER) return undefined
  return { do: what, choice: { ...(of ? { of } : {}), ...(filter ? { filter } : {}) } }
}
