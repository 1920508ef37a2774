import type { KnownBlock } from "@slack/types"
import { truncate } from "../lib/truncate.ts"
import {
  actions,
  button,
  context,
  header,
  line,
  section,
  textOfBlocks,
} from "../messages/blocks.ts"
import { count, counted, foreignLine, joinNames, link, plainLine } from "../messages/mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "../messages/pull-request-words.ts"
import type { Message } from "../slack/message-types.ts"
import type { CommentGap, Gap } from "./gap-kinds.ts"
import { type Range, rangeTitle } from "./range.ts"
import type { GapReport } from "./read-gaps.ts"
import type { Requested } from "./requested-gaps.ts"

/** Action of *More*; its value is `<opaque id of the list>.<number of groups shown>`. */
export const GAPS_MORE = "gaps_more"

/** Groups of comments in one message. */
const GROUPS = 15

/** Lists the gaps in the order in which the buttons number them. */
export function gapsShown({ assistant, searches, comments, thumbs }: GapReport): Gap[] {
  return [assistant, searches, comments, thumbs].flatMap((gaps) => gaps ?? [])
}

export function gapsMessage(report: GapReport, shown: ShownGaps): Message {
  const sections = sectionsOf(report)
  const lacking = sections.flatMap((one) => one.lacking || [])
  const noted = `Your documentation service doesn't report ${joinNames(lacking, "or")}.`
  const about = `${foreignLine(report.project, 60)} · dates in UTC · emails, secrets and long numbers are masked`
  const blocks = [
    header(`What readers didn't find, ${rangeTitle(report.range)}`),
    ...sections.flatMap((one) => sectionBlocks(one, shown)),
    ...more(shown, GROUPS),
    ...(lacking.length > 0 ? [context(noted)] : []),
    context(about),
  ]
  return { text: textOfBlocks(blocks), blocks }
}

/** Shows further groups of comments. @param from number of groups shown before */
export function moreCommentsMessage(shown: ShownGaps, from: number, range: Range): Message {
  const title = `More of what was written, ${rangeTitle(range)}`
  const groups = commentsIn(shown.gaps).slice(from, from + GROUPS)
  const blocks = [header(title), ...gapRows(groups, shown), ...more(shown, from + GROUPS)]
  return { text: textOfBlocks(blocks), blocks }
}

type Section = ReturnType<typeof sectionsOf>[number]

/** Lists the parts of the message; `lacking` names what the service does not report. */
function sectionsOf(report: GapReport) {
  const { assistant, searches, comments, thumbs } = report
  const first = comments?.slice(0, GROUPS)
  const by = (who: CommentGap["by"]) => first?.filter((group) => group.by === who)
  const agents = by("agents")?.length ? by("agents") : undefined
  const part = (title: string, gaps?: readonly Gap[], lacking = "", aside = "") => {
    return { title: `*${title}*${aside}`, gaps, lacking: gaps ? "" : lacking }
  }
  return [
    part("Unanswered questions", assistant, "assistant questions", questionsAside(report)),
    part("Searches with few clicks", searches, "searches"),
    part("What readers wrote", by("readers"), "comments", commentsAside(report)),
    part("Reported by AI agents", agents),
    part("Pages with thumbs-down ratings", thumbs, comments ? "" : "page ratings"),
  ]
}

function questionsAside({ questions }: GapReport): string {
  if (!questions?.read) return ""
  const { read, unanswered, isWhole } = questions
  return ` · ${count(unanswered)} of ${isWhole ? "" : "the first "}${count(read)}`
}

function commentsAside({ readOf }: GapReport): string {
  return readOf === undefined ? "" : ` · in the first ${count(readOf)} entries`
}

function sectionBlocks({ title, gaps }: Section, shown: ShownGaps): KnownBlock[] {
  if (!gaps) return []
  const rows = gaps.length > 0 ? gapRows(gaps, shown) : [context("None in this period.")]
  return [{ type: "divider" }, section(title), ...rows]
}

function commentsIn(gaps: readonly Gap[]): CommentGap[] {
  return gaps.filter((gap) => gap.kind === "comments")
}

function more({ id, gaps }: ShownGaps, shown: number): KnownBlock[] {
  const left = commentsIn(gaps).length - shown
  if (left <= 0) return []
  return actions([button({ action: GAPS_MORE, label: `${left} more`, value: `${id}.${shown}` })])
}

/** Action of the button beside a gap; its value is `<opaque id of the list>.<gap's number>`. */
export const GAP_ASK = "gaps_ask"

/** Maximum lengths in the message, in code points; the form has more of each text. */
const MAX_TEXT = 200
const MAX_PATH = 120
/** Comments of a group that the list shows; the request has more. */
const COMMENTS_SHOWN = 2
/** Maximum length of a label for screen readers; Slack allows 75 characters. */
const MAX_SPOKEN = 72

/** A shown list: its gaps in the order of their buttons, and which of them were requested. */
export interface ShownGaps {
  id: string
  gaps: readonly Gap[]
  requested: readonly (Requested | undefined)[]
  gitHubHost: string
}

/** Shows gaps of a list, each with its button or, once it was requested, with what became of it. */
export function gapRows(gaps: readonly Gap[], shown: ShownGaps): KnownBlock[] {
  return gaps.map((gap) => {
    const n = shown.gaps.indexOf(gap)
    const requested = shown.requested[n]
    const words = `*${subjectWords(gap)}*\n${evidenceWords(gap)}${quotedWords(gap)}`
    if (requested) return section(`${words}\n${requestedWords(requested, shown.gitHubHost)}`)
    const label = "Ask the docs agent"
    // Two long paths may begin alike, so the number tells equal buttons apart.
    const spoken = truncate(`${label}, ${n + 1}: ${spokenWords(gap)}`, MAX_SPOKEN)
    return section(words, button({ action: GAP_ASK, label, value: `${shown.id}.${n}`, spoken }))
  })
}

export function requestedAlready(requested: Requested, gitHubHost: string): Message {
  return line(`*Already asked for* · ${requestedWords(requested, gitHubHost)}`)
}

function subjectWords(gap: Gap): string {
  const words = "text" in gap ? foreignLine(gap.text, MAX_TEXT) : pageWords(gap.path)
  // A star in the text would end the bold.
  const bold = words.replaceAll("*", "∗")
  return gap.kind === "search" ? `“${bold}”` : bold
}

function evidenceWords(gap: Gap): string {
  switch (gap.kind) {
    case "question": {
      const where = gap.path === undefined ? "" : ` · mostly on ${pageWords(gap.path)}`
      return `${counted(gap.asked, "conversation")}${where}`
    }
    case "search":
      return `${counted(gap.hits, "search", "searches")} · ${count(gap.lost)} led nowhere`
    case "page":
      return `${counted(gap.down, "thumb")} down, ${count(gap.up)} up`
    case "comments": {
      const snippet = snippetOf(gap)
      const where = snippet === "" ? "" : ` · code: ${foreignLine(snippet, 60)}`
      return `${counted(gap.written, "comment")}${where}`
    }
  }
}

function spokenWords(gap: Gap): string {
  if (gap.kind === "question" || gap.kind === "search") return plainLine(gap.text, MAX_SPOKEN)
  const snippet = gap.kind === "comments" ? snippetOf(gap) : ""
  return plainLine(snippet === "" ? gap.path : `${snippet} on ${gap.path}`, MAX_SPOKEN)
}

function snippetOf({ file, language }: CommentGap): string {
  return [file, language].filter((part) => part !== undefined).join(", ")
}

/** Writes `requested: #217`, which leads to the card. */
function requestedWords({ prLink, card }: Requested, gitHubHost: string): string {
  const url = safeUrl(prLink)
  const label = url && pullRequestLabel(url, gitHubHost)
  const name = label && (/[#!]\d+$/.exec(label)?.[0] ?? label)
  const target = card ?? url
  if (!target) return "requested"
  return name ? `requested: ${link(target, name)}` : link(target, "requested")
}

function quotedWords(gap: Gap): string {
  if (gap.kind !== "comments") return ""
  const shown = gap.texts.slice(0, COMMENTS_SHOWN)
  return shown.map((text) => `\n> ${foreignLine(text, MAX_TEXT)}`).join("")
}

function pageWords(path: string): string {
  return foreignLine(path, MAX_PATH)
}
