import type { KnownBlock } from "@slack/types"
import type { Message } from "../../ports/message.ts"
import {
  type Gap,
  type GapOperation,
  type GapPart,
  type GapReport,
  SHOWN,
} from "../../visitors/gaps/report.ts"
import { actions, button, context, header, section } from "../blocks.ts"
import { date, foreignLine, mention } from "../mrkdwn.ts"
import { count, rangeTitle } from "./format.ts"
import { absentPart, gapLine, gapWords, unreadPart } from "./gap-words.ts"

/** Every control under gaps. Values are opaque ids, at most with a number of ours behind. */
export const gapActions = {
  ask: "gaps_ask",
  share: "gaps_share",
  csv: "gaps_csv",
} as const
export type GapAction = (typeof gapActions)[keyof typeof gapActions]

/** Who sees the gaps; `id` is the opaque id of the shown ones. */
type GapAudience =
  | { kind: "private"; id: string }
  | { kind: "shared"; id: string; by: string }
  | { kind: "digest"; id: string }

const TITLES: Readonly<Record<GapOperation, string>> = {
  assistant: "Questions without an answer",
  searches: "Searches that lead nowhere",
  thumbs: "Pages with thumbs down",
}
const LONGEST_FILTER = 60
/** Titles of kinds and what people asked are both bold. */
const DIVIDER: KnownBlock = { type: "divider" }

/** The gaps that are shown, in the order in which buttons count them. */
export function shownGaps(report: GapReport): Gap[] {
  return partsOf(report).flatMap(([, part]) =>
    part.kind === "known" ? part.value.slice(0, SHOWN) : [],
  )
}

export function gapsMessage(report: GapReport, audience: GapAudience): Message {
  const title = `What readers didn't find, ${rangeTitle(report.question.range)}`
  const by = audience.kind === "shared" ? [context(`Shared by ${mention(audience.by)}`)] : []
  return {
    text: `${title}. ${gapsSentence(report)}`,
    blocks: [header(title), ...by, ...gapBlocks(report, audience.id), ...below(report, audience)],
  }
}

/** The same below a digest, which has a title of its own. */
export function gapsInDigest(report: GapReport, id: string): Message {
  const title = header("What readers didn't find")
  const text = `What readers didn't find: ${gapsSentence(report)}`
  return { text, blocks: [title, ...gapBlocks(report, id), context(note(report))] }
}

function gapBlocks(report: GapReport, id: string): KnownBlock[] {
  let n = 0
  const kinds = partsOf(report).flatMap(([operation, part]): KnownBlock[] => {
    if (part.kind !== "known") return []
    const rows = part.value.slice(0, SHOWN).map((gap) => row(gap, `${id}.${n++}`))
    const title = section(`*${TITLES[operation]}*${aside(operation, report)}`)
    return [DIVIDER, title, ...(rows.length > 0 ? rows : [context("None in this period.")])]
  })
  return [...kinds, ...leftOut(report)]
}

function row(gap: Gap, value: string): KnownBlock {
  return {
    type: "section",
    text: { type: "mrkdwn", text: gapLine(gap), verbatim: true },
    accessory: button({ action: gapActions.ask, label: "Ask the docs agent", value }),
  }
}

/** How many there were, or what the order is where the numbers do not show it. */
function aside(operation: GapOperation, { unanswered }: GapReport): string {
  if (operation === "thumbs") return " · most readers affected first"
  if (operation === "searches" || !unanswered) return ""
  const { read, unanswered: open, isWhole } = unanswered
  return ` · ${count(open)} of ${isWhole ? "" : "the first "}${count(read)} asked`
}

/** What this deployment lacks, and what could not be read, each in one line. */
function leftOut(report: GapReport): KnownBlock[] {
  const failed = partsOf(report).flatMap(([operation, part]) =>
    part.kind === "failed" ? [unreadPart(operation, part.fault)] : [],
  )
  return [...failed, ...absentPart(absentOf(report))].map(context)
}

function absentOf(report: GapReport): GapOperation[] {
  return partsOf(report).flatMap(([operation, { kind }]) => (kind === "absent" ? [operation] : []))
}

function below(report: GapReport, audience: GapAudience): KnownBlock[] {
  if (audience.kind !== "private") return [context(note(report))]
  const { id } = audience
  return [
    ...actions([
      button({ action: gapActions.share, label: "Share in channel", value: id }),
      button({ action: gapActions.csv, label: "Download CSV", value: id }),
    ]),
    context(note(report)),
  ]
}

function note({ question: { project, filter }, readAt }: GapReport): string {
  const within =
    filter === undefined
      ? ""
      : ` · only \`${foreignLine(filter, LONGEST_FILTER).replaceAll("`", "'")}\`; searches without a page are left out`
  return `${foreignLine(project, LONGEST_FILTER)}${within} · UTC days · personal details are masked · as of ${date(readAt)}`
}

/** For screen readers and notifications: the first of each kind. */
function gapsSentence(report: GapReport): string {
  const parts = partsOf(report)
  if (parts.every(([, part]) => part.kind === "known" && part.value.length === 0))
    return "Nothing was found in this period."
  const said = parts.flatMap(([operation, part]) => {
    if (part.kind === "absent") return []
    if (part.kind === "failed") return [unreadPart(operation, part.fault)]
    const [first] = part.value
    return [`${TITLES[operation]}: ${first ? gapWords(first) : "none"}.`]
  })
  return [...said, ...absentPart(absentOf(report))].join(" ")
}

function partsOf(report: GapReport): [GapOperation, GapPart<Gap[]>][] {
  return [
    ["assistant", report.questions],
    ["searches", report.searches],
    ["thumbs", report.pages],
  ]
}
