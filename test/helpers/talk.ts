import { ADA, BEN, DOCS, type Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { botMessages, botSays, buttonsOf, promptsSent } from "./reading.ts"

/** Posts a thread in which Ada and Ben take turns. @returns its first message */
export async function talk({ slack }: Pick<TestBed, "slack">, lines: string[]) {
  const root = await slack.as(ADA).post(DOCS, lines[0] ?? "")
  for (const [n, line] of lines.slice(1).entries())
    await slack.as(n % 2 ? ADA : BEN).post(DOCS, line, { thread: root.ts })
  return root
}

/** Mentions the bot in a thread as Ada. Resolves to the prompt that the service gets. */
export async function promptOf(h: TestBed, root: { ts: string }, words: string): Promise<string> {
  await h.slack.as(ADA).mention(DOCS, words, { thread: root.ts })
  const [prompt = ""] = await promptsSent(h)
  return prompt
}

/** Mentions the bot in the thread of a running job. Resolves to its card, once the follow-up waits. */
export async function cardOfWaiting(
  h: Pick<TestBed, "slack">,
  user: string,
  { ts: thread }: { ts: string },
  words: string,
) {
  await botSays(h, /Working on it/, { thread })
  await h.slack.as(user).mention(DOCS, words, { thread })
  const isIts = (message: Message) =>
    message.threadTs === thread &&
    JSON.stringify(message.blocks).includes(words) &&
    buttonsOf(message).includes("start_separately")
  return h.slack.until((s) => botMessages(s).find(isIts))
}
