import type { KnownBlock } from "@slack/types"
import type { Message } from "../../ports/message.ts"
import { type Gap, type GapOperation, type GapReport, gapOperations } from "../../visitors/gaps.ts"
import { button, context, header, section } from "../blocks.ts"
import { clockTime, foreignLine } from "../mrkdwn.ts"
import { count, plural, rangeTitle } from "./format.ts"
import { reason } from "./notices.ts"

/** The button beside a gap; its value is the opaque id of the shown ones and the gap's number. */
export const GAP_ASK = "gaps_ask"

const TITLES: Readonly<Record<GapOperation, string>> = {
  assistant: "Unanswered questions",
  searches: "Searches without a result",
  thumbs: "Pages with thumbs down",
}
const NAMES: Readonly<Record<GapOperation, string>> = {
  assistant: "questions to the assistant",
  searches: "searches",
  thumbs: "page ratings",
}
/** A few of each kind stay readable; the form has more of it. Code points. */
const LONGEST_QUESTION = 200
const LONGEST_PATH = 120

/** The gaps that are shown, in the order in which buttons count them. */
export function gapsShown(report: GapReport): Gap[] {
  return gapOperations.flatMap((operation) => {
    const part = report[operation]
    return part.kind === "known" ? part.gaps : []
  })
}

/** @param id of the shown gaps */
export function gapsMessage(report: GapReport, id: string): Message {
  const title = `What readers didn't find, ${rangeTitle(report.range)}`
  let n = 0
  const kinds = gapOperations.flatMap((operation): KnownBlock[] => {
    const part = report[operation]
    if (part.kind !== "known") return []
    const rows = part.gaps.map((gap) => row(gap, `${id}.${n++}`))
    const head = section(`*${TITLES[operation]}*${aside(operation, report)}`)
    const none = context("None in this period.")
    return [{ type: "divider" }, head, ...(rows.length > 0 ? rows : [none])]
  })
  const about = `${foreignLine(report.project, 60)} · dates in UTC · personal details are masked · updated ${clockTime(report.readAt)}`
  return {
    text: `${title}. ${[...sentences(report), ...leftOut(report)].join(" ")}`,
    blocks: [header(title), ...kinds, ...leftOut(report).map(context), context(about)],
  }
}

function row(gap: Gap, value: string): KnownBlock {
  return {
    type: "section",
    text: { type: "mrkdwn", text: `*${what(gap)}*\n${evidence(gap)}`, verbatim: true },
    accessory: button({ action: GAP_ASK, label: "Ask the docs agent", value }),
  }
}

function aside(operation: GapOperation, { questions }: GapReport): string {
  if (operation !== "assistant" || !questions) return ""
  const { read, unanswered, isWhole } = questions
  return ` · ${count(unanswered)} of ${isWhole ? "" : "the first "}${count(read)}`
}

/** Says what could not be read, and what this deployment lacks, each in a sentence. */
function leftOut(report: GapReport): string[] {
  const failed = gapOperations.flatMap((operation) => {
    const part = report[operation]
    return part.kind === "failed"
      ? [`Couldn't load ${NAMES[operation]}: ${reason({ fault: part.fault })}.`]
      : []
  })
  const absent = gapOperations.filter((operation) => report[operation].kind === "absent")
  if (absent.length === 0) return failed
  const names = absent.map((operation) => NAMES[operation])
  const list = names.join(", ").replace(/, ([^,]*)$/, " or $1")
  return [...failed, `Your documentation service doesn't report ${list}.`]
}

/** For screen readers and notifications: the first of each kind. */
function sentences(report: GapReport): string[] {
  return gapOperations.flatMap((operation) => {
    const part = report[operation]
    if (part.kind !== "known") return []
    const [first] = part.gaps
    return [`${TITLES[operation]}: ${first ? `${what(first)} (${evidence(first)})` : "none"}.`]
  })
}

function what(gap: Gap): string {
  // A star in it would end the bold.
  if (gap.kind === "page") return foreignLine(gap.path, LONGEST_PATH).replaceAll("*", "∗")
  const words = foreignLine(gap.text, LONGEST_QUESTION).replaceAll("*", "∗")
  return gap.kind === "search" ? `“${words}”` : words
}

function evidence(gap: Gap): string {
  switch (gap.kind) {
    case "question": {
      const where = gap.path === undefined ? "" : ` · mostly on ${page(gap.path)}`
      return `in ${plural(gap.asked, "conversation")}${where}`
    }
    case "search": {
      const opened = gap.hits - gap.lost
      const end =
        gap.path === undefined || opened === 0
          ? "no page opened"
          : `${count(opened)} opened a page (${page(gap.path)})`
      return `${plural(gap.hits, "search", "searches")} · ${end}`
    }
    case "page":
      return `${plural(gap.down, "thumb")} down, ${count(gap.up)} up`
  }
}

function page(path: string): string {
  return foreignLine(path, LONGEST_PATH)
}
