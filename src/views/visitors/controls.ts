import type { ActionsBlock, PlainTextOption, StaticSelect } from "@slack/types"
import type { FigureName } from "../../visitors/question.ts"
import type { RangeWord } from "../../visitors/range.ts"
import type { PageTable } from "../../visitors/ranking.ts"
import { button } from "../blocks.ts"
import { plainLine } from "../mrkdwn.ts"
import { pickedValue, visitorActions } from "./action-ids.ts"
import { figureTitles, rangeNames } from "./format.ts"

/** Slack takes 75 characters; the start of a path tells more than its end. */
const LONGEST_OPTION = 75

interface ControlFacts {
  /** Opaque id of the shown report. */
  id: string
  word: RangeWord | undefined
  by: FigureName
  /** Absent when the pages could not be read. */
  table: PageTable | undefined
}

/** The controls under a report: what to do with it, then what is shown. */
export function reportControls({ id, word, by, table }: ControlFacts): ActionsBlock[] {
  const turn = (action: string, label: string, shown: boolean) =>
    shown ? [button({ action, label, value: id })] : []
  const page = table?.page ?? 1
  const shown: ActionsBlock = {
    type: "actions",
    elements: [
      rangeSelect(id, word),
      sortSelect(id, by),
      ...turn(visitorActions.previous, "Previous", page > 1),
      ...turn(visitorActions.next, "Next", page < (table?.pages ?? 1)),
    ],
  }
  const doing: ActionsBlock = {
    type: "actions",
    elements: [
      ...improveSelect(id, table),
      button({ action: visitorActions.changed, label: "What changed", value: id }),
      button({ action: visitorActions.share, label: "Share in channel", value: id }),
      button({ action: visitorActions.csv, label: "Download CSV", value: id }),
    ],
  }
  return [doing, shown]
}

/** Under "What changed": the way back and the same things to do. */
export function changeControls(id: string): ActionsBlock {
  return {
    type: "actions",
    elements: [
      button({ action: visitorActions.back, label: "Back to the report", value: id }),
      button({ action: visitorActions.share, label: "Share in channel", value: id }),
    ],
  }
}

function rangeSelect(id: string, word: RangeWord | undefined): StaticSelect {
  const options = Object.entries(rangeNames).map(([value, name]) => option(id, value, name))
  const chosen = word === undefined ? undefined : option(id, word, rangeNames[word])
  return select(visitorActions.range, "Another range", options, chosen)
}

function sortSelect(id: string, by: FigureName): StaticSelect {
  const label = (name: FigureName) => `Sort by ${figureTitles[name]}`
  const names: FigureName[] = ["total", "human", "ai"]
  const options = names.map((name) => option(id, name, label(name)))
  return select(visitorActions.sort, "Sort", options, option(id, by, label(by)))
}

/** A table cell takes no button, so the rows on the screen are offered below it. */
function improveSelect(id: string, table: PageTable | undefined): StaticSelect[] {
  const rows = table?.rows ?? []
  if (rows.length === 0) return []
  const options = rows.map((row, i) =>
    option(id, String(i), plainLine(`${row.rank}. ${row.path}`, LONGEST_OPTION)),
  )
  return [select(visitorActions.improve, "Improve this page…", options, undefined)]
}

function select(
  action: string,
  placeholder: string,
  options: PlainTextOption[],
  chosen: PlainTextOption | undefined,
): StaticSelect {
  return {
    type: "static_select",
    action_id: action,
    placeholder: { type: "plain_text", text: placeholder, emoji: false },
    options,
    ...(chosen ? { initial_option: chosen } : {}),
  }
}

function option(id: string, picked: string, label: string): PlainTextOption {
  const text = { type: "plain_text", text: label, emoji: false } as const
  return { text, value: pickedValue(id, picked) }
}
