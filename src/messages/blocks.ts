import type {
  ActionsBlockElement,
  Block,
  Button,
  ConfirmationDialog,
  HomeView,
  KnownBlock,
  ModalView,
} from "@slack/types"
import { truncateBytes } from "../text/truncate.ts"
import { plainLines } from "./mrkdwn.ts"

/** A message for Slack. `text` has the full meaning, for notifications and screen readers. */
export interface Message {
  text: string
  blocks: (KnownBlock | Block)[]
}

export type Modal = ModalView
export type Home = HomeView

/**
 * Makes a section of the bot's own text, whose foreign parts the caller has escaped. `verbatim`
 * stops Slack from finding mentions.
 * @param accessory a button beside the text
 */
export function section(text: string, accessory?: Button): KnownBlock {
  const words = { type: "section", text: { type: "mrkdwn", text, verbatim: true } } as const
  return accessory ? { ...words, accessory } : words
}

/** The longest text of a section; Slack allows 3,000 characters. */
const LONGEST_SECTION = 2900

/** Puts the bot's own lines, each short enough for a section, into as few sections as possible. */
export function sections(lines: readonly string[]): KnownBlock[] {
  const texts: string[] = []
  for (const one of lines) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + one.length < LONGEST_SECTION)
      texts[texts.length - 1] = `${last}\n${one}`
    else texts.push(one)
  }
  return texts.map((text) => section(text))
}

/** Makes small print. */
export function context(text: string): KnownBlock {
  return { type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] }
}

export function header(text: string): KnownBlock {
  return { type: "header", text: { type: "plain_text", text, emoji: false } }
}

/**
 * Quotes a person's text as plain text, so that nothing in it becomes a mention or a link, or
 * changes the direction of the text around it. @param max code points
 */
export function quote(words: string, max: number): KnownBlock {
  const text = { type: "text", text: plainLines(words, max) } as const
  return { type: "rich_text", elements: [{ type: "rich_text_quote", elements: [text] }] }
}

/** Makes an actions block, or none if there are no elements. */
export function actions(elements: readonly ActionsBlockElement[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{ type: "actions", elements: [...elements] }]
}

/** The longest private text, bytes: Slack cuts messages at 4,000, and nobody scrolls back to a private one. */
const LONGEST_PRIVATE = 3900

/** Makes a private answer with buttons below it; screen readers get the same text. */
export function line(text: string, buttons: readonly Button[] = []): Message {
  return { text: privateText(text), blocks: [section(text), ...actions(buttons)] }
}

/** Returns the plain text of a private answer. */
export function privateText(text: string): string {
  return truncateBytes(plain(text), LONGEST_PRIVATE)
}

/** Makes a private answer of several lines, which may be too long for one section. */
export function list(lines: readonly string[]): Message {
  return { text: privateText(lines.join("\n")), blocks: sections(lines) }
}

/** Strips emoji codes and markup from a line, for notifications. */
export function plain(line: string): string {
  return line
    .replace(/:[a-z_]+: /g, "")
    .replace(/\*([^*\n]+)\*/g, "$1")
    .replace(/<(https?:[^|<>]+)\|([^<>]+)>/g, "$2 ($1)")
    .replace(/<!date\^[^|<>]+\|([^<>]+)>/g, "$1")
}

export interface ButtonSpec {
  action: string
  label: string
  /** An opaque id; never text that a person wrote. */
  value: string
  style?: "primary" | "danger"
  /** The label for screen readers, if several buttons of a message look alike. */
  spoken?: string
  confirm?: { title: string; text: string; yes: string; no: string }
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

export function linkButton(action: string, label: string, url: string): Button {
  return { ...button({ action, label, value: action }), url }
}

function dialog({ title, text, yes, no }: NonNullable<ButtonSpec["confirm"]>): ConfirmationDialog {
  const words = (of: string) => ({ type: "plain_text", text: of }) as const
  return { title: words(title), text: words(text), confirm: words(yes), deny: words(no) }
}
