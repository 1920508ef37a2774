import type { Context } from "../jobs/context.ts"
import { askId, confirmationOf, type Job } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import { reworded } from "../jobs/prepare-round.ts"
import { bytesOfPrompt, type NewRequest, typedWords } from "../jobs/request-record.ts"
import { allAsks, unsentAsks } from "../jobs/rounds.ts"
import { HOUR_MS } from "../lib/time.ts"
import { say } from "../messages/private-answers.ts"
import type { MessageEvent } from "../slack/payloads.ts"
import { cancel } from "./cancel-request.ts"
import { jobHolding, noteSame } from "./same-request.ts"
import type { Reply } from "./work-after-ack.ts"

/** Time in ms after a message's post in which an edit can make it a request or a command. */
export const EDITED_WITHIN_MS = HOUR_MS

/**
 * Outcome of an edit. `unknown`: the message was no request; `withdrawn`: its request was never
 * sent and won't be; `same`: it has these words already, or those of a newer edit; `too_late`: the
 * agent has been sent the earlier words; `too_long`: it will be, because the new ones are more than
 * its round holds.
 */
export type EditOutcome = "changed" | "same" | "too_late" | "too_long" | "withdrawn" | "unknown"

type Edited = Pick<NewRequest, "delivery" | "edited">

/** Changes the words of a request that has not been sent yet, because its message was edited. */
export async function editRequest(
  context: Pick<Context, "store" | "jobs">,
  request: NewRequest,
): Promise<EditOutcome> {
  const found = await requestOf(context, request)
  if (typeof found === "string") return found
  const { id, ask } = found
  const { words, threadRange: _, ...read } = request.prompt
  const { edited } = request
  const before = (await context.jobs.promptsOf([{ id: ask }]))[ask]
  const changed = await context.jobs.change<"same" | "too_late" | "too_long">(id, ({ job }) => {
    if (isOutdated(job, ask, request) || (before && typedWords(before) === words)) return "same"
    if (!before || !unsentAsks(job).some(({ id }) => id === ask)) return "too_late"
    const prompt = { words, ...read, threadRange: before.threadRange }
    const change = reworded(job, { id: ask, edited, ...bytesOfPrompt(prompt) })
    if (typeof change === "string") return change
    return {
      ...change,
      prompts: { [ask]: prompt },
      ops: [noteSame(request, id, ask), { do: "drop", key: jobKeys.files(ask) }],
    }
  })
  if (typeof changed === "object") return "changed"
  const isRefused = changed === "same" || changed === "too_late" || changed === "too_long"
  return isRefused ? changed : "withdrawn"
}

/** Cancels a request whose words an edit took out. Resolves to its words, or to why not. */
export async function withdrawRequest(
  context: Context,
  request: Edited & Pick<NewRequest, "user">,
): Promise<{ words: string } | Exclude<EditOutcome, "changed" | "too_long">> {
  const found = await requestOf(context, request)
  if (typeof found === "string") return found
  const { id: job, ask: part } = found
  const holder = await context.jobs.find(job)
  if (holder && isOutdated(holder.job, part, request)) return "same"
  const { words } = (await context.jobs.promptsOf([{ id: part }]))[part] ?? { words: "" }
  const { result } = await cancel(context, { job, part, user: request.user })
  return result === "done" ? { words } : "too_late"
}

/** Returns whether the request has a newer edit: Slack may deliver one late, or repeat it. */
function isOutdated(job: Job, ask: string, { edited = "0" }: Edited): boolean {
  return allAsks(job).some(
    (known) => known.id === ask && Number(known.edited ?? 0) > Number(edited),
  )
}

/** Finds the request that a message became, perhaps once confirmed, and the job that has it now. */
async function requestOf(
  context: Pick<Context, "store" | "jobs">,
  { delivery }: Edited,
): Promise<{ id: string; ask: string } | "unknown" | "withdrawn"> {
  let without: "unknown" | "withdrawn" = "unknown"
  for (const one of [delivery, confirmationOf(askId(delivery))]) {
    const first = await context.store.redis.get(jobKeys.seen(one))
    if (first === null) continue
    const ask = askId(one)
    const id = await jobHolding(context, first, ask)
    if (id !== undefined) return { id, ask }
    without = "withdrawn"
  }
  return without
}

/** Says privately why the edit changes nothing, and how to follow up. */
export function editRefused(
  message: MessageEvent & { user: string },
  why: "too_late" | "too_long",
): Reply {
  const { user, channel, ts, thread = ts, isOwnDirect } = message
  if (!channel.startsWith("D")) return { ack: say(`edit_${why}`) }
  const ack = say(why === "too_late" ? "edit_too_late_here" : "edit_too_long")
  return { ack, told: { user, channel, thread, isOwnDirect } }
}
