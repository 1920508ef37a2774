import { expect } from "vitest"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import type { SlackFile } from "../sandbox/slack/workspace/model.ts"
import type { VisitorsBot } from "./visitors.ts"

const HOUR_MS = 3_600_000

/** Asks, and presses CSV. */
export async function press(at: VisitorsBot, words: string, user = ADA) {
  const report = await at.ask(user, DOCS, words)
  await at.use(user, report, "visitors_csv")
}

/** Passes, with an hour in between whenever the export waits for one. */
export async function finish(at: VisitorsBot, hours = 20): Promise<number> {
  for (let passed = 0; passed < hours; passed++) {
    for (let pass = 0; pass < 30; pass++) await at.exports()
    if ((await at.redis.zcard("{da}:v:x-due")) === 0) return passed
    at.clock.now += HOUR_MS + 6_000
  }
  throw new Error(`The export did not end within ${hours} hours`)
}

/** The files in a conversation. */
export const files = ({ slack }: VisitorsBot, channel: string): SlackFile[] =>
  slack
    .channel(channel)
    .messages()
    .flatMap((message) => message.files)

/** The lines of a file without its head, as they stand. */
export function lines(file: SlackFile | undefined): string[] {
  const text = file?.content.toString("utf8") ?? ""
  expect(text.startsWith("\ufeffpath,human,ai,total\r\n")).toBe(true)
  return text.split("\r\n").slice(1, -1)
}
