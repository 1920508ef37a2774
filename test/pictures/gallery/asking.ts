import type { Locator } from "playwright-core"
import { docsUntil } from "../../helpers/reading.ts"
import type { JobPlan } from "../../sandbox/docs-service/agent-job.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { Message } from "../../sandbox/slack/workspace/model.ts"
import { reply, whisper } from "../../sandbox/workspace/story/find.ts"
import type { Studio } from "./studio.ts"

/** A job's card in #docs and its thread. */
export interface Asked {
  /** The card, once it says this. */
  readonly card: (says: RegExp) => Promise<Message>
  /** The bot's reply in its thread, once one says this. */
  readonly reply: (says: RegExp) => Promise<Message>
}

export const NEVER: JobPlan = { ending: "never", afterMs: 0 }

export function soon(ending: JobPlan["ending"]): JobPlan {
  return { ending, afterMs: 50 }
}

/** Ada asks in #docs by command; the job then does what is planned. */
export async function ask(studio: Studio, words: string, plan: JobPlan): Promise<Asked> {
  const { docs } = studio.sandbox.testBed
  const before = docs.creations.length
  docs.plan(plan)
  const asked = await request(studio, words)
  await docsUntil({ docs }, () => docs.creations.length > before)
  return asked
}

/** The same without a word about what becomes of it. */
export async function request({ slack }: Studio, words: string, user = ADA): Promise<Asked> {
  await slack.as(user).slash(DOCS, "/docs-agent", words)
  // A card shows the start of a request, on one line in `text`.
  const start = words.split("\n")[0]?.slice(0, 60) ?? ""
  const card = (says: RegExp) =>
    slack.until((s) =>
      s
        .channel(DOCS)
        .messages()
        .findLast(({ botId, text }) => botId && text.includes(start) && says.test(text)),
    )
  return { card, reply: async (says) => reply(slack, await card(/./), says) }
}

/** What the bot answers Ada alone to a command in #docs. */
export async function answered(
  { slack }: Studio,
  command: string,
  words: string,
  says: RegExp,
): Promise<Message> {
  await slack.as(ADA).slash(DOCS, command, words)
  return whisper(slack, ADA, says)
}

/** Opens the thread below a message, and gives what stands in it. */
export async function thread({ page, shown }: Studio, root: Promise<Message>): Promise<Locator> {
  const message = await shown(root)
  await message.getByText(/^\d+ repl(y|ies)$/).click()
  const log = page.getByRole("log", { name: "Thread" })
  await log.locator(`article[data-ts="${(await root).ts}"]`).waitFor()
  return log.locator(":scope > *")
}

export async function closeThread({ page }: Studio): Promise<void> {
  await page.getByRole("button", { name: "Close this side" }).click()
}
