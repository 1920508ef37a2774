import type { KnownBlock } from "@slack/types"
import { actions, button, context, header, section } from "../messages/blocks.ts"
import { count, foreignLine, listed } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { CommentGap, Gap } from "./gap.ts"
import { evidenceWords, gapRows, type ShownGaps, subjectWords } from "./gap-row.ts"
import type { Range } from "./range.ts"
import type { GapReport } from "./read-gaps.ts"
import { rangeTitle } from "./report-words.ts"

/** Action of *More*; its value is `<opaque id of the list>.<number of groups shown>`. */
export const GAPS_MORE = "gaps_more"

/** Groups of comments in one message. */
const GROUPS = 15

/** Lists the gaps in the order in which the buttons number them. */
export function gapsShown({ assistant, searches, comments, thumbs }: GapReport): Gap[] {
  return [assistant, searches, comments, thumbs].flatMap((gaps) => gaps ?? [])
}

export function gapsMessage(report: GapReport, shown: ShownGaps): Message {
  const title = `What readers didn't find, ${rangeTitle(report.range)}`
  const kinds = kindsOf(report)
  const about = `${foreignLine(report.project, 60)} · dates in UTC · emails, secrets and long numbers are masked`
  // Screen readers and notifications get the first gap of each kind.
  const sentences = kinds.map(({ title, gaps: [first] }) => {
    const words = first ? `${subjectWords(first)} (${evidenceWords(first)})` : "none"
    return `${title}: ${words}.`
  })
  return {
    text: `${title}. ${[...sentences, ...leftOut(report)].join(" ")}`,
    blocks: [
      header(title),
      ...kinds.flatMap((kind) => kindBlocks(kind, shown)),
      ...more(shown, GROUPS),
      ...leftOut(report).map(context),
      context(about),
    ],
  }
}

/** Shows further groups of comments. @param from number of groups shown before */
export function moreCommentsMessage(shown: ShownGaps, from: number, range: Range): Message {
  const title = `More of what was written, ${rangeTitle(range)}`
  const groups = commentsIn(shown.gaps).slice(from, from + GROUPS)
  return {
    text: `${title}. ${groups.map((group) => `${subjectWords(group)} (${evidenceWords(group)})`).join("; ")}`,
    blocks: [header(title), ...gapRows(groups, shown), ...more(shown, from + GROUPS)],
  }
}

interface Kind {
  title: string
  aside: string
  gaps: readonly Gap[]
}

function kindsOf(report: GapReport): Kind[] {
  const { assistant, searches, comments, thumbs } = report
  const shown = comments?.slice(0, GROUPS)
  const by = (who: CommentGap["by"]) => shown?.filter((group) => group.by === who)
  const agents = by("agents")
  const kind = (title: string, gaps: readonly Gap[] | undefined, aside = "") =>
    gaps ? [{ title, aside, gaps }] : []
  return [
    ...kind("Unanswered questions", assistant, questionsAside(report)),
    ...kind("Searches with few clicks", searches),
    ...kind("What readers wrote", by("readers"), commentsAside(report)),
    ...(agents && agents.length > 0 ? kind("Reported by AI agents", agents) : []),
    ...kind("Pages with thumbs-down ratings", thumbs),
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

function kindBlocks({ title, aside, gaps }: Kind, shown: ShownGaps): KnownBlock[] {
  return [
    { type: "divider" },
    section(`*${title}*${aside}`),
    ...(gaps.length > 0 ? gapRows(gaps, shown) : [context("None in this period.")]),
  ]
}

function commentsIn(gaps: readonly Gap[]): CommentGap[] {
  return gaps.filter((gap) => gap.kind === "comments")
}

function more({ id, gaps }: ShownGaps, shown: number): KnownBlock[] {
  const left = commentsIn(gaps).length - shown
  if (left <= 0) return []
  return actions([button({ action: GAPS_MORE, label: `${left} more`, value: `${id}.${shown}` })])
}

function leftOut({ assistant, searches, comments, thumbs }: GapReport): string[] {
  const names = [
    ...(assistant ? [] : ["assistant questions"]),
    ...(searches ? [] : ["searches"]),
    ...(comments ? [] : ["comments"]),
    ...(comments || thumbs ? [] : ["page ratings"]),
  ]
  return names.length === 0
    ? []
    : [`Your documentation service doesn't report ${listed(names, "or")}.`]
}
