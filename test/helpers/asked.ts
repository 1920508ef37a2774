import { expect } from "vitest"
import { queueKeys } from "../../src/jobs/job-keys.ts"
import { ADA, DOCS, type Message } from "../sandbox/slack/index.ts"
import type { ReadingBed } from "./reading.ts"

export const ask = ({ slack }: Pick<ReadingBed, "slack">, text: string, user = ADA) =>
  slack.as(user).slash(DOCS, "/docs-agent", text)

/** Asks with a command, and resolves to the bot's message that then says this. */
export async function askUntil(h: ReadingBed, words: string, says: RegExp, user = ADA) {
  await ask(h, words, user)
  return h.botSays(says)
}

/** Returns the card of the request with these words. */
export function cardOf(h: ReadingBed, text: string): Message | undefined {
  return h
    .botMessages()
    .find(({ threadTs, blocks }) => threadTs === undefined && JSON.stringify(blocks).includes(text))
}

/** Resolves once the card of the request with these words says this. */
export const cardOfSays = (h: ReadingBed, text: string, says: RegExp) =>
  h.slack.until(() => says.test(cardOf(h, text)?.text ?? ""))

/** Returns the key of the requests that wait to be sent. */
export const waitOf = ({ services: { front } }: ReadingBed) =>
  queueKeys(front.settings.projects.keys[0] ?? "").wait

/** Waits until so many requests have a card and wait only for their moment. */
export async function waiting(h: ReadingBed, count: number): Promise<void> {
  const { workerRedis, front } = h.services
  const ready = async () => {
    const found = await front.jobs.findAll(await workerRedis.zrange(waitOf(h), "0", "-1"))
    return found.filter(({ job }) => job.mayStartAt !== undefined).length
  }
  await expect.poll(ready).toBe(count)
}
