import type { DocsService } from "../sandbox/docs-service/service.ts"
import { isObject, stringIn } from "../sandbox/kit/json.ts"
import { until } from "../sandbox/kit/until.ts"
import { DOCS, type LocalSlack, type Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

/** Waits for a bot message that matches. @returns the newest one in the channel or thread */
export function botSays(
  { slack }: Pick<TestBed, "slack">,
  says: RegExp,
  where: { channel?: string; thread?: string | undefined } = {},
): Promise<Message> {
  return slack.until((s) =>
    botMessages(s, where.channel)
      .filter((message) => !where.thread || message.threadTs === where.thread)
      .findLast((message) => says.test(message.text)),
  )
}

/** Waits for the bot's first reply in any thread of a channel, which is a closing reply. */
export function closingReply({ slack }: Pick<TestBed, "slack">): Promise<Message> {
  return slack.until((s) => botMessages(s).find(({ threadTs }) => threadTs !== undefined))
}

export function botMessages(slack: LocalSlack, channel: string = DOCS): Message[] {
  return slack
    .channel(channel)
    .all()
    .filter((message) => message.botId !== undefined)
}

/** Waits for the bot's first message with these words in its blocks. */
export function botShows({ slack }: Pick<TestBed, "slack">, words: string): Promise<Message> {
  return slack.until((s) =>
    botMessages(s).find(({ blocks }) => JSON.stringify(blocks).includes(words)),
  )
}

/** Returns the bot's direct messages to this person. */
export function direct({ slack }: Pick<TestBed, "slack">, user: string): Message[] {
  const channel = slack.channels().find(({ kind, members }) => kind === "im" && members.has(user))
  return botMessages(slack, channel?.id ?? "")
}

export function toldPrivately({ slack }: Pick<TestBed, "slack">, user: string, says: RegExp) {
  return slack.until((s) => s.ephemerals(user).findLast((message) => says.test(message.text)))
}

/** Resolves to the next private answer that a person gets after this. */
export async function answerTo(
  { slack }: Pick<TestBed, "slack">,
  user: string,
  act: () => Promise<unknown>,
): Promise<Message> {
  const before = slack.ephemerals(user).length
  await act()
  return slack.until((s) => s.ephemerals(user)[before])
}

/** Resolves when the documentation service reaches this state. @throws Error after 45 s */
export async function docsUntil(
  { docs }: Pick<TestBed, "docs">,
  holds: (docs: DocsService) => boolean,
): Promise<void> {
  await until(
    docs,
    () => holds(docs),
    () => dump(docs),
  )
}

/** Resolves to the prompts of all creations, once there are so many. */
export async function promptsSent(h: Pick<TestBed, "docs">, count = 1): Promise<string[]> {
  await docsUntil(h, ({ creations }) => creations.length >= count)
  return h.docs.creations.map(({ prompt }) => prompt)
}

function dump(docs: DocsService): string {
  const jobs = docs.projects.flatMap(({ id }) => docs.jobs(id))
  const lines = [
    "Jobs:",
    ...jobs.map(({ id, status, messages, prompt }) => {
      return `  ${id} ${status}, ${messages.length} messages: ${prompt.slice(0, 200)}`
    }),
    "Last requests:",
    ...docs.requests.slice(-15).map(({ method, path, status }) => `  ${method} ${path}: ${status}`),
  ]
  return lines.join("\n")
}

/** Returns how many messages the bot has tried to post. */
export function posts({ slack }: Pick<TestBed, "slack">): number {
  return slack.calls.filter(({ method }) => method === "chat.postMessage").length
}

export function buttonsOf(message: { blocks: unknown }): string[] {
  const found = JSON.stringify(message.blocks).matchAll(/"action_id":"(\w+)"/g)
  return [...found].map((match) => match[1] ?? "")
}

/** Returns the job that a bot message is about, and which of its messages it is. */
export function keyOf({ metadata }: Message): {
  job?: string | undefined
  part?: string | undefined
} {
  const payload = metadata?.event_payload
  return isObject(payload) ? { job: stringIn(payload, "job"), part: stringIn(payload, "part") } : {}
}
