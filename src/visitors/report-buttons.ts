import type { ActionsBlock, KnownBlock } from "@slack/types"
import { actions, button } from "../messages/blocks.ts"
import { upperFirst } from "../messages/mrkdwn.ts"
import type { Report } from "./read-report.ts"

/**
 * Actions of a report's controls. The value is its opaque id; for `range` it is `<id>.<range>`, for
 * `previous` and `next` `<id>.<page>`.
 */
export const visitorActions = {
  range: "visitors_range",
  previous: "visitors_previous",
  next: "visitors_next",
  changed: "visitors_changed",
  back: "visitors_back",
  share: "visitors_share",
  csv: "visitors_csv",
} as const

type Elements = ActionsBlock["elements"]

/**
 * Makes the controls below a report. Until its range is over, every page would look like a drop, so
 * it has no button for changes.
 * @param id opaque id of the shown report
 * @param isDirect true in a direct message, where the bot has nobody to share it with
 */
export function reportControls(id: string, isDirect: boolean, report: Report): KnownBlock[] {
  return [
    ...actions([
      ...(report.running ? [] : [press("changed", "See what changed", id)]),
      ...(isDirect ? [] : [press("share", "Share in channel", id)]),
      press("csv", "Get CSV", id),
    ]),
    ...actions([rangeSelect(id), ...turns(id, report)]),
  ]
}

/** Makes two buttons that keep their places on every page: they lead around the ends. */
function turns(id: string, { table }: Report): Elements {
  if (!table || table.pages < 2) return []
  const { page, pages } = table
  const previous = page > 1 ? page - 1 : pages
  const next = page < pages ? page + 1 : 1
  return [
    press("previous", "Previous", `${id}.${previous}`),
    press("next", "Next", `${id}.${next}`),
  ]
}

export const changeControls = (id: string) => actions([press("back", "Back to the report", id)])

function press(action: keyof typeof visitorActions, label: string, value: string) {
  return button({ action: visitorActions[action], label, value })
}

/** Ranges of the picker, in its order. */
export const rangeWords = [
  "7d",
  "30d",
  "90d",
  "today",
  "yesterday",
  "this week",
  "last week",
  "this month",
  "last month",
  "this quarter",
  "last quarter",
]

function rangeSelect(id: string): Elements[number] {
  const plain = (text: string) => ({ type: "plain_text", text, emoji: false }) as const
  const nameOf = (words: string) => words.replace(/^(\d+)d$/, "last $1 days")
  const option = (words: string) => {
    return { text: plain(upperFirst(nameOf(words))), value: `${id}.${words}` }
  }
  return {
    type: "static_select",
    action_id: visitorActions.range,
    placeholder: plain("Change dates"),
    options: rangeWords.map(option),
  }
}
