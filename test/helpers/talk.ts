import {
  ADA,
  BEN,
  buttonsOf,
  DOCS,
  type MessageRef,
  type SharedFile,
} from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import type { Reader } from "./reading.ts"

/** Returns the verbs of people who talk in threads with the bot. */
export function talker({ slack, botMessages, botSays, promptsSent }: TestBed & Reader) {
  /** Returns what people do in a thread, who are Ben if they are nobody else. */
  const inThread = (thread: string) => ({
    thread: { thread },
    say: (words: string, user = BEN, more: { files?: SharedFile[] } = {}) =>
      slack.as(user).mention(DOCS, words, { thread, ...more }),
    /** Waits until the bot says this in the thread. */
    says: (words: RegExp) => botSays(words, { thread }),
  })

  return {
    inThread,
    /** Posts a thread in which Ada and Ben take turns. @returns its first message */
    async talk(lines: string[]) {
      const root = await slack.as(ADA).post(DOCS, lines[0] ?? "")
      for (const [n, line] of lines.slice(1).entries())
        await slack.as(n % 2 ? ADA : BEN).post(DOCS, line, { thread: root.ts })
      return root
    },
    /** Makes a request. @returns its thread, and what Ben and others do there */
    async startThread(words = "write the guide", user = ADA) {
      const root = await slack.as(user).mention(DOCS, words)
      return { root, ...inThread(root.ts) }
    },
    /** Opens the form of a message's shortcut. @returns what it shows */
    async formAbout(message: MessageRef) {
      await slack.as(ADA).shortcut(message, "ask_docs_agent")
      return JSON.stringify((await slack.until((s) => s.modal(ADA))).payload)
    },
    /** Mentions the bot in a thread as Ada. Resolves to the prompt that the service gets. */
    async promptOf(root: MessageRef, words: string): Promise<string> {
      await slack.as(ADA).mention(DOCS, words, { thread: root.ts })
      const [prompt = ""] = await promptsSent()
      return prompt
    },
    /** Mentions the bot in the thread of a running job. Resolves to its card, once the follow-up waits. */
    async cardOfWaiting(user: string, { ts: thread }: MessageRef, words: string) {
      await botSays(/Working on it/, { thread })
      await slack.as(user).mention(DOCS, words, { thread })
      return slack.until(() =>
        botMessages().find(
          (message) =>
            message.threadTs === thread &&
            JSON.stringify(message.blocks).includes(words) &&
            buttonsOf(message).includes("start_separately"),
        ),
      )
    },
  }
}
