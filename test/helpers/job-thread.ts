import type { Job } from "../../src/jobs/job.ts"
import type { Message } from "../../src/ports/message.ts"
import { jobCard } from "../../src/views/card.ts"
import { closingReply } from "../../src/views/endings.ts"
import { aJob } from "./job.ts"
import { rendered } from "./rendered.ts"

const REQUEST = { words: "fix the quickstart: it needs Node 20.19" }
const FOLLOW_UP = { words: "say the same on the install page" }

/** All that the bot has said once a job and its follow-up, by mention, have each ended in a pull request. */
export function jobThread(asked: "mention" | "slash"): Message[] {
  const ended = {
    ...aJob({
      state: "ended",
      user: "U0ADA00001",
      prLink: "https://github.com/acme/docs/pull/214",
      card: "1.1",
      closing: "1.2",
    }),
    ending: "pull_request",
  } as const
  const first = { ...ended, ...(asked === "mention" ? { asked: "1.0", thread: "1.0" } : {}) }
  const second: Job & typeof ended = {
    ...ended,
    asked: "1.3",
    thread: "1.0",
    first: "first",
    follows: "agent-1",
    hadPull: true,
  }
  return [
    jobCard(first, REQUEST),
    closingReply(first),
    jobCard(second, FOLLOW_UP),
    closingReply(second),
  ]
}

/** What a person reads of it, buttons and names included; no emoji. */
export function wordsOf({ blocks }: Message): number {
  const text = rendered(blocks).replace(/:[a-z_]+:/g, "")
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}
