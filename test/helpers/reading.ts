import type { DocsService } from "../sandbox/docs-service/service.ts"
import { isObject, stringIn } from "../sandbox/kit/json.ts"
import { until } from "../sandbox/kit/until.ts"
import { type Channel, DOCS, type LocalSlack, type Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { jobVerbs } from "./job-verbs.ts"
import { talker } from "./talk.ts"

/** Verbs that read what the bot says to people, and what the service got from it. */
export type Reader = ReturnType<typeof slackReader> & ReturnType<typeof docsReader>

/** Test bed with these verbs, those of talks and those of jobs and queues. */
export type ReadingBed = TestBed & Reader & ReturnType<typeof talker> & ReturnType<typeof jobVerbs>

/** Gives a whole test bed all verbs. */
export function readingBed(bed: TestBed): ReadingBed {
  const reader = reading(bed)
  return Object.assign(reader, talker(reader), jobVerbs(bed))
}

/** Gives the other parties alone the verbs that read. */
export function reading<Parties extends Pick<TestBed, "slack" | "docs">>(parties: Parties) {
  return Object.assign(parties, slackReader(parties.slack), docsReader(parties.docs))
}

function slackReader(slack: LocalSlack) {
  const botMessages = (channel: string = DOCS): Message[] =>
    slack
      .channel(channel)
      .all()
      .filter(({ botId }) => botId !== undefined)

  return {
    botMessages,
    /** Waits for a bot message that matches. @returns the newest one in the channel or thread */
    botSays: (
      says: RegExp,
      where: { channel?: string; thread?: string | undefined } = {},
    ): Promise<Message> =>
      slack.until(() =>
        botMessages(where.channel)
          .filter(({ threadTs }) => !where.thread || threadTs === where.thread)
          .findLast(({ text }) => says.test(text)),
      ),
    /** Waits until so many of the bot's messages in the docs channel match. */
    botSaysTimes: (count: number, says: RegExp) =>
      slack.until(() => botMessages().filter(({ text }) => says.test(text)).length === count),
    /** Waits for the bot's first reply in any thread of a channel, which is a closing reply. */
    closingReply: (): Promise<Message> =>
      slack.until(() => botMessages().find(({ threadTs }) => threadTs !== undefined)),
    /** Waits for the bot's first message with these words in its blocks. */
    botShows: (words: string): Promise<Message> =>
      slack.until(() => botMessages().find(({ blocks }) => JSON.stringify(blocks).includes(words))),
    /** Returns the bot's direct messages to this person. */
    direct(user: string): Message[] {
      const isTheirs = ({ kind, members }: Channel) => kind === "im" && members.has(user)
      return botMessages(slack.channels().find(isTheirs)?.id ?? "")
    },
    toldPrivately: (user: string, says: RegExp): Promise<Message> =>
      slack.until(() => slack.ephemerals(user).findLast(({ text }) => says.test(text))),
    /** Resolves to the next private answer that a person gets after this. */
    async answerTo(user: string, act: () => Promise<unknown>): Promise<Message> {
      const before = slack.ephemerals(user).length
      await act()
      return slack.until(() => slack.ephemerals(user)[before])
    },
    /** Returns how many messages the bot has tried to post. */
    postCount: (): number =>
      slack.calls.filter(({ method }) => method === "chat.postMessage").length,
  }
}

function docsReader(docs: DocsService) {
  /** Resolves when the documentation service reaches this state. @throws Error after 45 s */
  async function docsUntil(holds: (docs: DocsService) => boolean): Promise<void> {
    await until(
      docs,
      () => holds(docs),
      () => dump(docs),
    )
  }

  return {
    docsUntil,
    /** Resolves to the prompts of all creations, once there are so many. */
    promptsSent: async (count = 1): Promise<string[]> => {
      await docsUntil(({ creations }) => creations.length >= count)
      return docs.creations.map(({ prompt }) => prompt)
    },
  }
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

/** Returns the job that a bot message is about, and which of its messages it is. */
export function keyOf({ metadata }: Message): {
  job?: string | undefined
  part?: string | undefined
} {
  const payload = metadata?.event_payload
  return isObject(payload) ? { job: stringIn(payload, "job"), part: stringIn(payload, "part") } : {}
}
