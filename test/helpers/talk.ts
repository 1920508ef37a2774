import { expect } from "vitest"
import type { Job } from "../../src/jobs/job.ts"
import type { JobEnding } from "../sandbox/docs-service/agent-job.ts"
import {
  ADA,
  BEN,
  buttonsOf,
  DOCS,
  type Message,
  type MessageRef,
  type SharedFile,
} from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import type { ReadingBed } from "./reading.ts"

type Slack = Pick<TestBed, "slack">

/** Posts a thread in which Ada and Ben take turns. @returns its first message */
export async function talk({ slack }: Slack, lines: string[]) {
  const root = await slack.as(ADA).post(DOCS, lines[0] ?? "")
  for (const [n, line] of lines.slice(1).entries())
    await slack.as(n % 2 ? ADA : BEN).post(DOCS, line, { thread: root.ts })
  return root
}

/** Makes a request. @returns its thread, and what Ben and others do there */
export async function startThread(h: ReadingBed, words = "write the guide", user = ADA) {
  const root = await h.slack.as(user).mention(DOCS, words)
  return { root, ...inThread(h, root.ts) }
}

/** Returns what people do in a thread, who are Ben if they are nobody else. */
export function inThread(h: ReadingBed, thread: string) {
  return {
    thread: { thread },
    say: (words: string, user = BEN, more: { files?: SharedFile[] } = {}) =>
      h.slack.as(user).mention(DOCS, words, { thread, ...more }),
    /** Waits until the bot says this in the thread. */
    says: (words: RegExp) => h.botSays(words, { thread }),
  }
}

/** Opens the form of a message's shortcut. @returns what it shows */
export async function formAbout({ slack }: Slack, message: MessageRef) {
  await slack.as(ADA).shortcut(message, "ask_docs_agent")
  return JSON.stringify((await slack.until((s) => s.modal(ADA))).payload)
}

/** Reads the job in which a person asked last. @throws Error if they have none */
export async function jobOf({ services }: Pick<TestBed, "services">, user = ADA): Promise<Job> {
  const [found] = await services.front.jobs.ofUser(user)
  if (!found) throw new Error(`${user} has no job`)
  return found.job
}

/** Waits until the job in which a person asked last is in this state. */
export const untilState = (h: Pick<TestBed, "services">, state: Job["state"], user = ADA) =>
  expect.poll(async () => (await jobOf(h, user)).state).toBe(state)

/** Moves the start of Ada's job back by so many ms. */
export async function startedEarlier(h: Pick<TestBed, "services">, ms: number): Promise<void> {
  const { id } = await jobOf(h)
  await h.services.work.jobs.change(id, ({ job: { rounds } }) => ({
    set: { rounds: rounds.map((r) => ({ ...r, startedAt: (r.startedAt ?? 0) - ms })) },
  }))
}

/** Ends a run of the service's jobs, the first one unless another is named. */
export function finish({ docs }: Pick<TestBed, "docs">, ending: JobEnding, n = 0): void {
  docs.finish(docs.creations[n]?.jobId ?? "", ending)
}

/** Mentions the bot in a thread as Ada. Resolves to the prompt that the service gets. */
export async function promptOf(
  h: ReadingBed,
  root: { ts: string },
  words: string,
): Promise<string> {
  await h.slack.as(ADA).mention(DOCS, words, { thread: root.ts })
  const [prompt = ""] = await h.promptsSent()
  return prompt
}

/** Mentions the bot in the thread of a running job. Resolves to its card, once the follow-up waits. */
export async function cardOfWaiting(
  h: ReadingBed,
  user: string,
  { ts: thread }: { ts: string },
  words: string,
) {
  await h.botSays(/Working on it/, { thread })
  await h.slack.as(user).mention(DOCS, words, { thread })
  const isIts = (message: Message) =>
    message.threadTs === thread &&
    JSON.stringify(message.blocks).includes(words) &&
    buttonsOf(message).includes("start_separately")
  return h.slack.until(() => h.botMessages().find(isIts))
}
