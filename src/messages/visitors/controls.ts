import type { ActionsBlock, PlainTextOption } from "@slack/types"
import { type RangeWord, rangeWords } from "../../visitors/range.ts"
import type { RankedTable } from "../../visitors/report.ts"
import { button } from "../blocks.ts"
import { rangeName } from "./format.ts"

/** The actions of a report's controls. Their values are opaque ids, at most with a word of the bot's after it. */
export const visitorActions = {
  range: "visitors_range",
  previous: "visitors_previous",
  next: "visitors_next",
  changed: "visitors_changed",
  back: "visitors_back",
  share: "visitors_share",
  csv: "visitors_csv",
} as const

type VisitorAction = (typeof visitorActions)[keyof typeof visitorActions]

/** Makes the controls below a report: first what to do with it, then what it shows. @param id of the shown report */
export function reportControls(
  id: string,
  word: RangeWord | undefined,
  table: RankedTable | undefined,
): ActionsBlock[] {
  const page = table?.page ?? 1
  return [
    row([
      press(visitorActions.changed, "See what changed", id),
      press(visitorActions.share, "Share in channel", id),
      press(visitorActions.csv, "Get CSV", id),
    ]),
    row([
      rangeSelect(id, word),
      ...(page > 1 ? [press(visitorActions.previous, "Previous", id)] : []),
      ...(page < (table?.pages ?? 1) ? [press(visitorActions.next, "Next", id)] : []),
    ]),
  ]
}

/** Makes the controls below *What changed*: back, and sharing. */
export function changeControls(id: string): ActionsBlock {
  return row([
    press(visitorActions.back, "Back to the report", id),
    press(visitorActions.share, "Share in channel", id),
  ])
}

function row(elements: ActionsBlock["elements"]): ActionsBlock {
  return { type: "actions", elements }
}

function press(action: VisitorAction, label: string, value: string) {
  return button({ action, label, value })
}

function rangeSelect(id: string, word: RangeWord | undefined): ActionsBlock["elements"][number] {
  const option = (picked: RangeWord): PlainTextOption => ({
    text: { type: "plain_text", text: rangeName(picked), emoji: false },
    value: `${id}.${picked}`,
  })
  return {
    type: "static_select",
    action_id: visitorActions.range,
    placeholder: { type: "plain_text", text: "Change dates", emoji: false },
    options: rangeWords.map(option),
    ...(word === undefined ? {} : { initial_option: option(word) }),
  }
}
