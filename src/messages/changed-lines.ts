import type { RichTextSection, RichTextText } from "@slack/types"
import type { Pull } from "../jobs/job.ts"
import { harmless } from "../lib/plain-text.ts"
import { truncateBytes } from "../lib/truncate.ts"
import type { Message } from "../slack/message.ts"
import { foreignLine, plainLine } from "./mrkdwn.ts"
import { changedFilesWords } from "./pull-request.ts"

/** Maximum length of the text in bytes; Slack cuts an edited message's text at 4,000. */
const MAX_TEXT = 3900

/**
 * Adds the lines of a small change below a message's first block: removed ones struck out and with
 * a minus, added ones with a plus, so that nobody needs color. Rich text shows MDX as it is written.
 */
export function withChanges(message: Message, pull: Pull | undefined): Message {
  const changes = changedFilesWords(pull) ? pull?.size?.changes : undefined
  if (!changes || changes.length === 0) return message
  const [first, ...rest] = message.blocks
  const elements = changes.map(
    ({ path, lines }): RichTextSection => ({
      type: "rich_text_section",
      elements: [bold(`${plainLine(path, 200)}\n`), ...lines.map(shownLine)],
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
  const text = `${signed(line)}\n`
  return line.startsWith("-")
    ? { type: "text", text, style: { strike: true } }
    : { type: "text", text }
}

function bold(text: string): RichTextText {
  return { type: "text", text, style: { bold: true } }
}

/** Writes a changed line with a true minus sign or a plus. */
function signed(line: string): string {
  return `${line.startsWith("-") ? "−" : "+"} ${harmless(line.slice(1))}`
}
