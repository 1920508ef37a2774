import type { KnownBlock } from "@slack/types"
import type { Change, Share } from "../../visitors/compare.ts"
import type { FigureName } from "../../visitors/question.ts"
import type { Report } from "../../visitors/report.ts"
import { count, figureTitles } from "./format.ts"

const SHOWN: readonly FigureName[] = ["human", "ai", "total"]

/** The three figures side by side, each with its change. */
export function figureFields(report: Report): KnownBlock {
  return {
    type: "section",
    fields: SHOWN.map((name) => ({
      type: "mrkdwn",
      text: `${figureTitles[name]} *${count(report.figures[name])}* · ${comparison(report, name)}`,
      verbatim: true,
    })),
  }
}

/** The figures in one sentence, for screen readers and notifications. */
export function figureSentence(report: Report): string {
  const words = SHOWN.map(
    (name) => `${figureTitles[name]} ${count(report.figures[name])} (${comparison(report, name)})`,
  )
  return `${words.join(", ")}.`
}

/** No figure is shown as a part of another: one visitor may be counted as both. */
export function shareSentence({ aiShare, figures }: Report): string {
  if (figures.total === 0) return "No visitors in this period."
  const overlap = "Some count as both, so the two don't add up."
  const words = shareWords(aiShare)
  return words === undefined ? overlap : `*${words} were AI.* ${overlap}`
}

/** The same as a part of the caveats. */
export function shareCaveat({ aiShare }: Report): string {
  const words = shareWords(aiShare)
  const overlap = "some count as both"
  return words === undefined ? overlap : `${words.toLowerCase()} were AI, ${overlap}`
}

function shareWords(share: Share): string | undefined {
  if (share.kind === "unclear") return undefined
  return share.kind === "small" ? "Less than 1%" : `About ${share.percent}%`
}

/** While today is still running, no change is shown: half a day compared with a whole one is no drop. */
function comparison({ before, running }: Report, name: FigureName): string {
  if (!before.known) return running ? "so far" : "change not known"
  const { changes, figures } = before.value
  return `${running ? "so far" : changeWords(changes[name])}, ${count(figures[name])} before`
}

function changeWords(change: Change): string {
  if (change.kind === "same") return "no change"
  if (change.kind === "from_nothing") return "new"
  const percent = change.percent === 0 ? "under 1" : count(change.percent)
  return `${change.direction === "up" ? "▲ up" : "▼ down"} ${percent}%`
}
