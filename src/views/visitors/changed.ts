import type { KnownBlock } from "@slack/types"
import type { Message } from "../../ports/message.ts"
import type { Mover } from "../../visitors/changes.ts"
import type { ChangeReport } from "../../visitors/report.ts"
import { context, header, section } from "../blocks.ts"
import { date, foreignLine, mention, plainLine } from "../mrkdwn.ts"
import { changeControls } from "./controls.ts"
import { count, figureWords, rangeTitle } from "./format.ts"
import type { Audience } from "./report.ts"

const LONGEST_PATH = 120
const LONGEST_IN_TEXT = 60
const MOSTLY_AI = "Mostly read by AI"

interface Line {
  path: string
  numbers: string
}

/** The pages that moved most, and those that AI reads more than people. */
export function changeMessage(report: ChangeReport, audience: Audience): Message {
  const { question, changes } = report
  const title = `What changed, ${rangeTitle(question.range)}`
  const lists: [string, Line[]][] = [
    ["Biggest gains", changes.rose.map(moverLine)],
    ["Biggest drops", changes.fell.map(moverLine)],
    [
      MOSTLY_AI,
      changes.mostlyAi.map(({ path, human, ai }) => ({
        path,
        numbers: `AI ${count(ai)}, people ${count(human)}`,
      })),
    ],
  ]
  return {
    text: `${title} (UTC), by ${figureWords[question.by]}. ${lists.map(asSentence).join(" ")}`,
    blocks: [
      header(title),
      ...(audience.kind === "shared" ? [context(`Shared by ${mention(audience.by)}`)] : []),
      ...lists.flatMap(asList),
      ...(audience.kind === "private" ? [changeControls(audience.id)] : []),
      context(origin(report)),
    ],
  }
}

function moverLine({ path, now, before }: Mover): Line {
  const difference = now - before
  const sign = difference > 0 ? "+" : "−"
  return {
    path,
    numbers: `${count(before)} → ${count(now)} (${sign}${count(Math.abs(difference))})`,
  }
}

/** Paths go into rich text, where nothing in them can format, link or mention. */
function asList([title, lines]: [string, Line[]]): KnownBlock[] {
  if (lines.length === 0)
    return [section(`*${title}*\n${title === MOSTLY_AI ? "No pages." : "No significant changes."}`)]
  return [
    section(`*${title}*`),
    {
      type: "rich_text",
      elements: [
        {
          type: "rich_text_list",
          style: "bullet",
          elements: lines.map(({ path, numbers }) => ({
            type: "rich_text_section",
            elements: [
              { type: "text", text: plainLine(path, LONGEST_PATH), style: { code: true } },
              { type: "text", text: `  ${numbers}` },
            ],
          })),
        },
      ],
    },
  ]
}

function asSentence([title, lines]: [string, Line[]]): string {
  const words = lines.map(({ path, numbers }) => `${foreignLine(path, LONGEST_IN_TEXT)} ${numbers}`)
  return `${title}: ${words.length === 0 ? "none" : words.join("; ")}.`
}

function origin({ question, previous, changes, whole, running, readAt }: ChangeReport): string {
  return [
    `Counting ${figureWords[question.by]}, compared with ${rangeTitle(previous)}.`,
    `Left out: changes of fewer than ${changes.floors.move} visitors or no larger than chance, and pages with fewer than ${changes.floors.read} AI visitors.`,
    ...(whole
      ? []
      : ["Not every page of both periods was read, so some new or removed pages may be missing."]),
    ...(running ? ["Today isn't over yet: drops that may still be made up are left out."] : []),
    `Approximate, UTC days, as of ${date(readAt)}.`,
  ].join(" ")
}
