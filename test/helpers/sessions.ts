import { ADA, DOCS } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import type { ReadingBed } from "./reading.ts"

type Thread = { channel: string; ts: string }
type Slack = Pick<TestBed, "slack">

export const sessionOf = ({ slack }: Slack, { channel, ts }: Thread) =>
  slack.agents.session(channel, ts)

/** Returns every status that the app has set for the session of a thread. */
export const states = (h: Slack, thread: Thread): string[] =>
  sessionOf(h, thread)?.history.map(({ status }) => status) ?? []

/** Resolves when a thread's session has this status. */
export const shows = (h: Slack, thread: Thread, status: string) =>
  h.slack.until(() => states(h, thread).at(-1) === status)

/** Makes a request, and resolves to its card once the agent works and the session shows it. */
export async function working(h: ReadingBed, user = ADA, words = "fix the whole guide") {
  await h.slack.as(user).slash(DOCS, "/docs-agent", words)
  const card = await h.botSays(/Working on it/)
  await shows(h, card, "processing")
  return card
}
