import type { ActionsBlockElement, Button, ConfirmationDialog, KnownBlock } from "@slack/types"
import type { Message } from "../ports/message.ts"
import { truncateBytes } from "../text/truncate.ts"

/** Text of ours, with foreign parts already made safe. `verbatim` stops Slack from finding mentions. */
export function section(text: string): KnownBlock {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } }
}

export function context(text: string): KnownBlock {
  return { type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] }
}

export function header(text: string): KnownBlock {
  return { type: "header", text: { type: "plain_text", text, emoji: false } }
}

/** An actions block, or none when there is nothing to press. */
export function actions(elements: readonly ActionsBlockElement[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{ type: "actions", elements: [...elements] }]
}

/** Slack cuts longer texts at 4,000, and nobody scrolls back to a private one. Bytes. */
const LONGEST_PRIVATE = 3900

/** A private line; the same words for eyes and screen readers. */
export function line(text: string): Message {
  return { text: privateText(text), blocks: [section(text)] }
}

/** The plain words of a private answer. */
export function privateText(text: string): string {
  return truncateBytes(plain(text), LONGEST_PRIVATE)
}

/** The same line as plain words, without emoji codes and markup: for notifications. */
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
  confirm?: { title: string; text: string; yes: string; no: string }
}

export function button({ action, label, value, style, confirm }: ButtonSpec): Button {
  return {
    type: "button",
    action_id: action,
    text: { type: "plain_text", text: label, emoji: false },
    value,
    ...(style ? { style } : {}),
    ...(confirm ? { confirm: dialog(confirm) } : {}),
  }
}

/** @param weight `plain` beside a button that is the primary one */
export function linkButton(
  action: string,
  label: string,
  url: string,
  weight: "primary" | "plain" = "primary",
): Button {
  const style = weight === "primary" ? { style: weight } : {}
  return { ...button({ action, label, value: action, ...style }), url }
}

function dialog(words: NonNullable<ButtonSpec["confirm"]>): ConfirmationDialog {
  return {
    title: { type: "plain_text", text: words.title },
    text: { type: "plain_text", text: words.text },
    confirm: { type: "plain_text", text: words.yes },
    deny: { type: "plain_text", text: words.no },
  }
}
