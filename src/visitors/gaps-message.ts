import type { KnownBlock } from "@slack/types"
import { harmless, quoteLines } from "../lib/plain-text.ts"
import { shorten } from "../lib/truncate.ts"
import { button, context, header, section } from "../messages/blocks.ts"
import { count, counted, foreignLine, listed } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { Gap } from "./gap.ts"
import { type GapOperation, type GapReport, gapOperations } from "./gaps.ts"
import type { Range } from "./range.ts"
import { rangeTitle } from "./range-words.ts"

/** Action of the button beside a gap; its value is `<opaque id of the list>.<gap's number>`. */
export const GAP_ASK = "gaps_ask"

/** Title above each kind of gap, and its name if a deployment does not report it. */
const KINDS: Readonly<Record<GapOperation, { title: string; name: string }>> = {
  assistant: { title: "Unanswered questions", name: "assistant questions" },
  searches: { title: "Searches with few clicks", name: "searches" },
  thumbs: { title: "Pages with thumbs-down ratings", name: "page ratings" },
}
/** Maximum lengths in the message, in code points; the form has more of each text. */
const MAX_QUESTION = 200
const MAX_PATH = 120

/** Lists the gaps in the order in which the buttons number them. */
export function gapsShown(report: GapReport): Gap[] {
  return gapOperations.flatMap((operation) => report[operation] ?? [])
}

export function gapsMessage(report: GapReport, id: string): Message {
  const title = `What readers didn't find, ${rangeTitle(report.range)}`
  const rows = gapsShown(report).map((gap, n) => row(gap, `${id}.${n}`))
  const known = gapOperations.flatMap((operation) => {
    const gaps = report[operation]
    return gaps ? [{ ...KINDS[operation], gaps, aside: aside(operation, report) }] : []
  })
  const kinds = known.flatMap(({ title, gaps, aside }): KnownBlock[] => [
    { type: "divider" },
    section(`*${title}*${aside}`),
    ...(gaps.length > 0 ? rows.splice(0, gaps.length) : [context("None in this period.")]),
  ])
  // Screen readers and notifications get the first gap of each kind.
  const sentences = known.map(({ title, gaps: [first] }) => {
    const words = first ? `${what(first)} (${evidence(first)})` : "none"
    return `${title}: ${words}.`
  })
  const about = `${foreignLine(report.project, 60)} · dates in UTC · emails, secrets and long numbers are masked`
  return {
    text: `${title}. ${[...sentences, ...leftOut(report)].join(" ")}`,
    blocks: [header(title), ...kinds, ...leftOut(report).map(context), context(about)],
  }
}

function row(gap: Gap, value: string): KnownBlock {
  const ask = button({ action: GAP_ASK, label: "Ask the docs agent", value })
  return section(`*${what(gap)}*\n${evidence(gap)}`, ask)
}

function aside(operation: GapOperation, { questions }: GapReport): string {
  if (operation !== "assistant" || !questions?.read) return ""
  const { read, unanswered, isWhole } = questions
  return ` · ${count(unanswered)} of ${isWhole ? "" : "the first "}${count(read)}`
}

function leftOut(report: GapReport): string[] {
  const lacking = gapOperations.filter((operation) => report[operation] === undefined)
  if (lacking.length === 0) return []
  const names = lacking.map((operation) => KINDS[operation].name)
  return [`Your documentation service doesn't report ${listed(names, "or")}.`]
}

function what(gap: Gap): string {
  const words = gap.kind === "page" ? page(gap.path) : foreignLine(gap.text, MAX_QUESTION)
  // A star in the text would end the bold.
  const bold = words.replaceAll("*", "∗")
  return gap.kind === "search" ? `“${bold}”` : bold
}

function evidence(gap: Gap): string {
  switch (gap.kind) {
    case "question": {
      const where = gap.path === undefined ? "" : ` · mostly on ${page(gap.path)}`
      return `${counted(gap.asked, "conversation")}${where}`
    }
    case "search":
      return `${counted(gap.hits, "search", "searches")} · ${count(gap.lost)} led nowhere`
    case "page":
      return `${counted(gap.down, "thumb")} down, ${count(gap.up)} up`
  }
}

function page(path: string): string {
  return foreignLine(path, MAX_PATH)
}

/** Maximum code points of a request's subject, of which agents make the pull request's title. */
const MAX_SUBJECT = 80

/** Writes readers' text on one line, for a subject that names it. */
function subject(text: string): string {
  const line = harmless(text).replace(/\s+/g, " ").replace(/[“”"]/g, "'").trim()
  return `“${shorten(line, MAX_SUBJECT)}”`
}

/**
 * Writes the request about a gap, its subject first. Readers' text is quoted, so that the agent does
 * not obey it.
 */
export function requestFor(gap: Gap, { from, to }: Range): string {
  const when = from === to ? `on ${from}` : `from ${from} to ${to}`
  switch (gap.kind) {
    case "question": {
      const asked = `Answer ${subject(gap.text)} in the docs.\n\nReaders asked the docs assistant this and got no answer:\n${quoteLines(gap.text)}\nIt came up in ${counted(gap.asked, "conversation")} ${when}`
      if (gap.path === undefined) return `${asked}. Answer this in the docs, where it fits best.`
      return `${asked}, most often on this page:\n${quoteLines(gap.path)}\nAnswer this on that page, or where it fits best.`
    }
    case "search":
      return `Cover ${subject(gap.text)} in the docs.\n\nReaders searched the docs for this, and few opened a page:\n${quoteLines(gap.text)}\nOf ${counted(gap.hits, "search", "searches")} ${when}, ${count(gap.lost)} led nowhere. Cover this in the docs, using the words people searched for.`
    case "page":
      return `Improve the page ${subject(gap.path)}.\n\nReaders rated this page low:\n${quoteLines(gap.path)}\nIt got ${counted(gap.down, "thumb")} down and ${count(gap.up)} up ${when}. Find out what it leaves unclear or gets wrong, and fix that.`
  }
}
