import { ADA, BEN, DOCS } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { botSays } from "./reading.ts"

/** Posts a thread in which Ada and Ben take turns. @returns its first message */
export async function talk({ slack }: Pick<TestBed, "slack">, lines: string[]) {
  const root = await slack.as(ADA).post(DOCS, lines[0] ?? "")
  for (const [n, line] of lines.slice(1).entries())
    await slack.as(n % 2 ? ADA : BEN).post(DOCS, line, { thread: root.ts })
  return root
}

/** Mentions the bot in a thread as Ada. Resolves to the service's prompt after the result. */
export async function promptOf(h: TestBed, root: { ts: string }, words: string): Promise<string> {
  await h.slack.as(ADA).mention(DOCS, words, { thread: root.ts })
  await botSays(h, /request ready/, { thread: root.ts })
  return h.docs.creations[0]?.prompt ?? ""
}
