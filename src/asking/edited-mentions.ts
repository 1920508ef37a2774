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
 * Reason why an edit changes nothing. `too_late`: the agent has been sent the earlier words;
 * `too_long`: it will be, because the new ones are more than its round holds; `project`: the edit
 * names another project.
 */
type Refused = "too_late" | "too_long" | "project"

/**
 * Outcome of an edit. `unknown`: the message was no request; `withdrawn`: its request was never
 * sent and won't be; `same`: it has these words already, or those of a newer edit.
 */
export type EditOutcome = Refused | "changed" | "same" | "withdrawn" | "unknown"

type Edited = Pick<NewRequest, "delivery" | "edited">

/**
 * Changes the words of a request that has not been sent yet, because its message was edited.
 * @param named name of the project in the edited message
 */
export async function editRequest(
  context: Pick<Context, "store" | "jobs" | "settings">,
  request: Omit<NewRequest, "project">,
  named: string | undefined,
): Promise<EditOutcome> {
  const found = await requestOf(context, request)
  if (typeof found === "string") return found
  const { id, ask } = found
  const { words, threadRange: _, ...read } = request.prompt
  const { edited, channel } = request
  const meant = named === undefined ? undefined : context.settings.projects.choose(channel, named)
  const before = (await context.jobs.promptsOf([{ id: ask }]))[ask]
  const changed = await context.jobs.change<Refused | "same">(id, ({ job }) => {
    const { project } = job
    const isElsewhere = named !== undefined && meant?.key !== project
    const isSame = before && typedWords(before) === words && !isElsewhere
    if (isOutdated(job, ask, request) || isSame) return "same"
    if (!before || !unsentAsks(job).some(({ id }) => id === ask)) return "too_late"
    if (isElsewhere) return "project"
    const prompt = { words, ...read, threadRange: before.threadRange }
    const change = reworded(job, { id: ask, edited, ...bytesOfPrompt(prompt) })
    if (typeof change === "string") return change
    const note = noteSame({ ...request, project }, id, ask)
    const ops = [note, { do: "drop" as const, key: jobKeys.files(ask) }]
    return { ...change, prompts: { [ask]: prompt }, ops }
  })
  if (typeof changed === "object") return "changed"
  const isGone = changed === "gone" || changed === "unchanged" || changed === "lost"
  return isGone ? "withdrawn" : changed
}

/** Cancels a request whose words an edit took out. Resolves to its words, or to why not. */
export async function withdrawRequest(
  context: Context,
  request: Edited & Pick<NewRequest, "user">,
): Promise<{ words: string } | Exclude<EditOutcome, "changed" | "too_long" | "project">> {
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

/** Says privately why the edit changes nothing, and what to do instead. */
export function editRefused(message: MessageEvent & { user: string }, why: Refused): Reply {
  const { user, channel, ts, thread = ts, isOwnDirect } = message
  if (!channel.startsWith("D")) return { ack: say(`edit_${why}`) }
  const ack = say(why === "too_late" ? "edit_too_late_here" : `edit_${why}`)
  return { ack, told: { user, channel, thread, isOwnDirect } }
}
