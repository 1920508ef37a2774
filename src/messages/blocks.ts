import type {
  ActionsBlockElement,
  Button,
  ConfirmationDialog,
  KnownBlock,
  RichTextSection,
} from "@slack/types"
import { truncateBytes } from "../lib/truncate.ts"
import { wordsOf } from "../slack/block-text.ts"
import type { Message, MessageBlock } from "../slack/message-types.ts"
import { foreignLine, linkTarget, plainLines, SHOUT } from "./mrkdwn.ts"

/** Maximum length of a quoted request, in code points; most requests are no longer. */
export const MAX_QUOTED = 600
/** Maximum length of a section in characters; Slack allows 3,000. */
const MAX_SECTION = 2900
/** Maximum length of a message's text, in bytes; Slack cuts an edited message's text at 4,000. */
const MAX_TEXT = 3900

/** Shows the bot's own text, with untrusted parts escaped. `verbatim`: Slack finds no mentions. */
export function section(text: string, accessory?: Button): KnownBlock {
  const words = { type: "section", text: { type: "mrkdwn", text, verbatim: true } } as const
  return accessory ? { ...words, accessory } : words
}

export function context(text: string): KnownBlock {
  return { type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] }
}

export function header(text: string): KnownBlock {
  return { type: "header", text: { type: "plain_text", text, emoji: false } }
}

/** Quotes a person's text, in which nothing becomes a mention or a link. @param max code points */
export function quote(words: string, max = MAX_QUOTED): KnownBlock {
  const text = { type: "text", text: plainLines(words, max) } as const
  return { type: "rich_text", elements: [{ type: "rich_text_quote", elements: [text] }] }
}

/** Lists lines with bullets. Nothing in them becomes a mention or a link; none may be empty. */
export function bullets(lines: readonly string[]): KnownBlock {
  const elements = lines.map((text): RichTextSection => {
    return { type: "rich_text_section", elements: [{ type: "text", text }] }
  })
  return { type: "rich_text", elements: [{ type: "rich_text_list", style: "bullet", elements }] }
}

export function actions(elements: readonly ActionsBlockElement[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{ type: "actions", elements: [...elements] }]
}

/** Parts of a message from top to bottom; absent and empty ones are left out. */
interface Parts {
  lines: readonly (string | undefined)[]
  quoted?: string
  small?: string | undefined
  buttons?: readonly Button[]
}

/** Makes a message whose text says the same as its blocks. */
export function message({ lines, quoted, small, buttons = [] }: Parts): Message {
  const said = quoted && foreignLine(quoted, MAX_QUOTED)
  return {
    text: textOf([...lines, said, small], buttons),
    blocks: [
      ...lines.flatMap((text) => (text ? section(text) : [])),
      ...(quoted ? [quote(quoted)] : []),
      ...(small ? [context(small)] : []),
      ...actions(buttons),
    ],
  }
}

/** Cuts a message's text to `MAX_TEXT`, and never splits an entity or a mention. */
export function cutText(text: string): string {
  return truncateBytes(text, MAX_TEXT).replace(/[&<][^;>\s]*…$/, "…")
}

/** Writes lines without markup, then those URLs of buttons that they lack, as far as they fit. */
export function textOf(lines: readonly (string | undefined)[], buttons: readonly Button[]): string {
  const text = cutText(plain(lines.filter(Boolean).join("\n")))
  return buttons
    .flatMap(({ url }) => (url ? linkTarget(url) : []))
    .filter((address) => !text.includes(address))
    .reduce((all, one) => {
      const longer = `${all}\n${one}`
      return Buffer.byteLength(longer) <= MAX_TEXT ? longer : all
    }, text)
}

/** Writes what people read in blocks as a message's text; charts and buttons have no words there. */
export function textOfBlocks(blocks: readonly MessageBlock[]): string {
  return textOf([wordsOf({ text: "", blocks }).replace(SHOUT, "@\u200b")], [])
}

export function line(text: string, buttons: readonly Button[] = []): Message {
  return message({ lines: [text], buttons })
}

/** Joins lines, each short enough for a section, into as few sections' texts as possible. */
export function packed(lines: readonly string[]): string[] {
  const texts: string[] = []
  for (const one of lines) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + one.length < MAX_SECTION)
      texts[texts.length - 1] = `${last}\n${one}`
    else texts.push(one)
  }
  return texts
}

/** Strips emoji codes and the markup of bold, links and dates, for notifications. Keeps code as it is. */
export function plain(line: string): string {
  return line
    .replace(/:[a-z_]+: /g, "")
    .replace(/`[^`\n]+`|\*((?:[^*`\n]|`[^`\n]+`)+)\*/g, (whole, bold?: string) => bold ?? whole)
    .replace(/<(https?:[^|<>]+)\|([^<>]+)>/g, "$2 ($1)")
    .replace(/<!date\^[^|<>]+\|([^<>]+)>/g, "$1")
}

export interface ButtonSpec {
  action: string
  label: string
  /** Opaque id; never text that a person wrote. */
  value: string
  style?: "primary" | "danger"
  /** Label for screen readers, if several buttons of a message look alike. */
  spoken?: string | undefined
  confirm?: { title: string; text: string; yes: string; no: string } | undefined
}

export function button({ action, label, value, style, spoken, confirm }: ButtonSpec): Button {
  return {
    type: "button",
    action_id: action,
    text: { type: "plain_text", text: label, emoji: false },
    value,
    ...(style ? { style } : {}),
    ...(spoken ? { accessibility_label: spoken } : {}),
    ...(confirm ? { confirm: dialog(confirm) } : {}),
  }
}

function dialog({ title, text, yes, no }: NonNullable<ButtonSpec["confirm"]>): ConfirmationDialog {
  const words = (of: string) => ({ type: "plain_text", text: of }) as const
  return { title: words(title), text: words(text), confirm: words(yes), deny: words(no) }
}

export function linkButton(action: string, label: string, url: string): Button {
  return { ...button({ action, label, value: action }), url }
}
