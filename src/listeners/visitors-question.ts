import { randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { defined } from "../lib/defined.ts"
import { stopwatch } from "../lib/time.ts"
import type { Caller } from "../slack/payloads.ts"
import { CSV_ON_ITS_WAY } from "../visitors/csv-message.ts"
import type { Wanted } from "../visitors/questions.ts"
import { visitorActions } from "../visitors/report-buttons.ts"
import type { Reply } from "./acknowledge.ts"
import type { AgentDeps } from "./deps.ts"

/** Interval in ms between two checks for whether a worker has taken the question. */
const LOOK_MS = 250

/** Stores a question and waits until a worker takes it, so that the person learns of a delay. */
export async function inquire(
  { questions, now, timing }: AgentDeps,
  caller: Caller,
  wanted: Wanted,
): Promise<Reply> {
  const { entry, user, channel, thread, replyUrl, isOwnDirect } = caller
  const { triggerId = randomUUID() } = caller
  const asker = { entry, user, ...defined({ channel, thread, replyUrl, isOwnDirect }) }
  // Names a CSV by its report, so that further clicks of the person start no second export.
  const isCsv = wanted.kind === "click" && wanted.action === visitorActions.csv
  const name = isCsv ? wanted.value : triggerId
  if (!(await questions.add(asker, wanted, name, await now()))) return { ack: CSV_ON_ITS_WAY }
  const work = async () => {
    const waited = stopwatch()
    // Outlasts the time after which the bot says that it takes longer.
    while (waited() < timing.workWithinMs + LOOK_MS) {
      await delay(LOOK_MS)
      if (!(await questions.isWaiting(asker, name))) return
    }
  }
  return { work }
}
