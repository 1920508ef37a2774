import type { Gap, GapOperation } from "../../visitors/gaps/report.ts"
import type { Missing } from "../../visitors/report.ts"
import { foreignLine } from "../mrkdwn.ts"
import { count, plural } from "./format.ts"
import { reason } from "./missing.ts"

const NAMES: Readonly<Record<GapOperation, string>> = {
  assistant: "questions to the assistant",
  searches: "searches",
  thumbs: "page ratings",
}

/** Five of each kind stay readable; the form has more of it. Code points. */
const LONGEST_QUESTION = 200
const LONGEST_PATH = 120

/** One gap as two lines: what, then how many people it concerns. */
export function gapLine(gap: Gap): string {
  return `*${what(gap)}*\n${evidence(gap)}`
}

/** The same in one sentence, without marks. */
export function gapWords(gap: Gap): string {
  return `${what(gap)} (${evidence(gap)})`
}

/** What could not be read, in a sentence. */
export function unreadPart(operation: GapOperation, fault: Missing["fault"]): string {
  return `Couldn't read ${NAMES[operation]}: ${reason({ fault })}.`
}

/** What this deployment lacks, in a sentence, or nothing. */
export function absentPart(operations: readonly GapOperation[]): string[] {
  if (operations.length === 0) return []
  const names = list(operations.map((operation) => NAMES[operation]))
  return [`Your documentation service doesn't report ${names}.`]
}

function list(names: readonly string[]): string {
  const last = names.at(-1) ?? ""
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`
}

function what(gap: Gap): string {
  // A star in it would end the bold.
  const words = gap.kind === "page" ? gap.path : gap.text
  const safe = foreignLine(words, gap.kind === "page" ? LONGEST_PATH : LONGEST_QUESTION)
  const plain = safe.replaceAll("*", "∗")
  return gap.kind === "search" ? `“${plain}”` : plain
}

function evidence(gap: Gap): string {
  switch (gap.kind) {
    case "question": {
      const [page] = gap.pages
      const where = page ? ` · mostly on ${path(page.path)}` : ""
      return `in ${plural(gap.asked, "conversation", "conversations")}${where}`
    }
    case "search": {
      const opened = gap.hits - gap.lost
      const end =
        gap.path === undefined || opened === 0
          ? "no page opened"
          : `only ${count(opened)} opened a page, mostly ${path(gap.path)}`
      return `${plural(gap.hits, "search", "searches")} · ${end}`
    }
    case "page": {
      const readers =
        gap.readers === undefined ? "" : ` · read by ${plural(gap.readers, "person", "people")}`
      return `${plural(gap.down, "thumb", "thumbs")} down, ${gap.up} up${readers}`
    }
    default:
      return gap satisfies never
  }
}

function path(words: string): string {
  return foreignLine(words, LONGEST_PATH)
}
