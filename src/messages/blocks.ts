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

/** A message as Slack takes it: `text` carries the full meaning for notifications and screen readers. */
export interface Message {
  text: string
  blocks: (KnownBlock | Block)[]
}

export type Modal = ModalView
export type Home = HomeView

/**
 * A text of ours whose foreign parts are already escaped. `verbatim` stops Slack from finding mentions.
 * @param accessory a button at its side
 */
export function section(text: string, accessory?: Button): KnownBlock {
  const words = { type: "section", text: { type: "mrkdwn", text, verbatim: true } } as const
  return accessory ? { ...words, accessory } : words
}

/** A text object holds 3,000 characters. */
const LONGEST_SECTION = 2900

/** Puts lines of ours, of which each fits, into as few sections as hold them. */
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

/** Small print. */
export function context(text: string): KnownBlock {
  return { type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] }
}

export function header(text: string): KnownBlock {
  return { type: "header", text: { type: "plain_text", text, emoji: false } }
}

/**
 * Somebody's words as plain text in a quote: nothing in them can become a mention or a link, or turn the
 * direction of what stands around them. @param max code points
 */
export function quote(words: string, max: number): KnownBlock {
  const text = { type: "text", text: plainLines(words, max) } as const
  return { type: "rich_text", elements: [{ type: "rich_text_quote", elements: [text] }] }
}

/** Makes an actions block, or none when there is nothing to press. */
export function actions(elements: readonly ActionsBlockElement[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{ type: "actions", elements: [...elements] }]
}

/** Slack cuts longer texts at 4,000, and nobody scrolls back to a private one. Bytes. */
const LONGEST_PRIVATE = 3900

/** A private answer, with what can be pressed under it; the same words for eyes and screen readers. */
export function line(text: string, buttons: readonly Button[] = []): Message {
  return { text: privateText(text), blocks: [section(text), ...actions(buttons)] }
}

/** Plain words of a private answer. */
export function privateText(text: string): string {
  return truncateBytes(plain(text), LONGEST_PRIVATE)
}

/** A private answer of several lines, which may be too long for one section. */
export function list(lines: readonly string[]): Message {
  return { text: privateText(lines.join("\n")), blocks: sections(lines) }
}

/** Reduces a line to plain words, without emoji codes and markup: for notifications. */
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
  /** An opaque id; never anything a person wrote. */
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
