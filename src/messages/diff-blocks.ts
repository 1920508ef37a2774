import type { RichTextSection, RichTextText } from "@slack/types"
import type { Pull } from "../jobs/job.ts"
import { harmless } from "../lib/plain-text.ts"
import { truncateBytes } from "../lib/truncate.ts"
import type { Message } from "../slack/message-types.ts"
import { MAX_TEXT } from "./blocks.ts"
import { foreignLine, plainLine } from "./mrkdwn.ts"
import { sizeOf } from "./pull-request-words.ts"

/**
 * Adds the lines of a small change below a message's first block: removed ones struck out and with
 * a minus, added ones with a plus, so that nobody needs color. Rich text shows MDX as it is written.
 */
export function withChanges(message: Message, pull: Pull | undefined): Message {
  const changes = sizeOf(pull)?.changes
  if (!changes || changes.length === 0) return message
  const [first, ...rest] = message.blocks
  const elements = changes.map(
    ({ path, lines }): RichTextSection => ({
      type: "rich_text_section",
      elements: [
        { type: "text", text: `${plainLine(path, 200)}\n`, style: { bold: true } },
        ...lines.map(shownLine),
      ],
    }),
  )
  const said = changes.flatMap(({ path, lines }) => [
    foreignLine(path, 200),
    ...lines.map((line) => foreignLine(signed(line), 210)),
  ])
  return {
    text: truncateBytes([message.text, ...said].join("\n"), MAX_TEXT),
    blocks: [...(first ? [first] : []), { type: "rich_text", elements } as const, ...rest],
  }
}

function shownLine(line: string): RichTextText {
  const style = line.startsWith("-") ? { style: { strike: true } } : {}
  return { type: "text", text: `${signed(line)}\n`, ...style }
}

/** Writes a changed line with a true minus sign or a plus. */
function signed(line: string): string {
  return `${line.startsWith("-") ? "−" : "+"} ${harmless(line.slice(1))}`
}
