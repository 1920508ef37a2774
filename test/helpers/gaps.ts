import type { FeedbackEntry } from "../sandbox/docs-service/analytics/feedback.ts"
import { ADA, type Message } from "../sandbox/slack/index.ts"
import type { VisitorsBed } from "./visitors.ts"

/** Makes a pending comment under a page of its own, the first the newest. */
export const comment = (n: number, more: Partial<FeedbackEntry> = {}): FeedbackEntry => ({
  id: `own-${n}`,
  path: `/page-${n}`,
  comment: `Comment ${n}`,
  createdAt: new Date(Date.UTC(2026, 10, 19, 12) - n * 1000).toISOString(),
  source: "contextual",
  status: "pending",
  ...more,
})

interface Row {
  text?: { text: string }
  accessory?: { value: string; accessibility_label?: string }
}
export const rowsIn = ({ blocks }: { blocks: unknown }): Row[] => JSON.parse(JSON.stringify(blocks))

/** Returns the place among the buttons of the row with these words; -1 if it has no button. */
export function buttonOf(message: { blocks: unknown }, words: RegExp): number {
  const rows = rowsIn(message).filter(({ accessory }) => accessory !== undefined)
  return rows.findIndex(({ text }) => words.test(text?.text ?? ""))
}

/** Clicks *Ask the docs agent* in the row with these words. */
export async function askAbout(h: VisitorsBed, message: Message, words: RegExp) {
  await h.slack.as(ADA).click(message, "gaps_ask", { index: buttonOf(message, words) })
}

/** Requests what the row with these words is about. @returns the prompt */
export async function request(h: VisitorsBed, message: Message, words: RegExp): Promise<string> {
  const before = h.docs.creations.length
  await askAbout(h, message, words)
  await h.slack.as(ADA).submitModal()
  await h.docsUntil((docs) => docs.creations.length === before + 1)
  return h.docs.creations.at(-1)?.prompt ?? ""
}
