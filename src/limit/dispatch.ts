import { refusedSince } from "../asking/access-rules.ts"
import {
  composeCreation,
  composeMessage,
  originLine,
  readEarlier,
  withOrigin,
} from "../asking/agent-prompt.ts"
import { tellRefused } from "../asking/tell-requesters.ts"
import { ABSENT, DocsError } from "../docs-service/docs-error.ts"
import { takesMessages } from "../jobs/begin-round.ts"
import type { Context } from "../jobs/context.ts"
import { type CreationOutcome, outcomeOf } from "../jobs/creation-outcome.ts"
import { prepared } from "../jobs/end-round.ts"
import type { Job } from "../jobs/job.ts"
import { projectOf } from "../jobs/job-keys.ts"
import type { Prompts } from "../jobs/request-text.ts"
import { currentAsks, isUpdate, quotedAsks, withoutAsks } from "../jobs/rounds.ts"
import { UNTIL_WOKEN } from "../lib/loop.ts"
import { raceAbort } from "../lib/time.ts"
import type { CreationSlots } from "./creation-bottleneck.ts"
import { resumed } from "./pauses.ts"
import { isServiceWell } from "./refused-key.ts"
import type { Grant } from "./rolling-hour.ts"

/** Signals of a shutdown: to start nothing new, then to wait no longer for what is in flight. */
export interface Stop {
  stopping: AbortSignal
  forceStop: AbortSignal
}

const STOPPED: CreationOutcome = {
  kind: "unknown",
  detail: "the bot was stopped before the service answered",
}

/** Maximum ms of the last check of who asks: a grant is late after `CREATION_MARGIN_MS`. */
const CHECK_MS = 2000

/** Ends creations of dead processes in one queue, then starts as many jobs as the hour allows. */
export async function dispatchPass(
  queue: string,
  context: Context,
  slots: CreationSlots,
  { stopping, forceStop }: Stop,
) {
  const swept = await slots.sweep(queue)
  while (!stopping.aborted) {
    let isUnanswered = false
    const result = await slots.next(queue, async (grant, isLate) => {
      const outcome = await raceAbort(forceStop, create(context, grant, isLate), STOPPED)
      isUnanswered = outcome.kind === "unknown" && isNoAnswer(outcome.cause)
      return outcome
    })
    if (isUnanswered) await endOutage(context, queue)
    if (result === "ran") continue
    if (swept > 0) return 0
    return Number.isFinite(result.waitMs)
      ? Math.min(result.waitMs, context.settings.timing.restMs)
      : UNTIL_WOKEN
  }
  return 0
}

function isNoAnswer(cause: unknown): boolean {
  return cause instanceof DocsError && cause.fault === "interrupted"
}

/**
 * Ends the pause after one creation without an answer at once, if the service answers a free read.
 * After a second in a row the pause stands, so that not each request that waits ends as unclear.
 */
async function endOutage(context: Context, queue: string): Promise<void> {
  if (!(await isServiceWell(context, projectOf(queue)))) return
  await context.health.change(queue, (latest, now) =>
    latest.reason === "outage" && latest.tries === 1 ? resumed(latest, now) : undefined,
  )
}

async function create(
  context: Context,
  grant: Grant,
  isLate: () => boolean,
): Promise<CreationOutcome> {
  const { queue } = grant
  try {
    const job = await onlyAllowed(context, grant)
    if (currentAsks(job).length === 0) return { kind: "not_allowed" }
    const prompts = await context.jobs.wholePromptsOf(currentAsks(job))
    if (composeMessage(job, prompts) === "") return { kind: "no_text" }
    const earlier = isUpdate(job) ? [] : await readEarlier(context.jobs, job)
    const quoted = isUpdate(job) ? {} : await context.jobs.promptsOf(quotedAsks(job))
    const hasMessages = await context.docs.deployment.offersMessages(job.project)
    // Redis or Slack may have answered the checks above slowly.
    if (isLate()) return { kind: "put_back" }
    if (isUpdate(job)) return await send(context, { job, queue }, prompts, hasMessages)
    const prompt = composeCreation(job, { ...quoted, ...prompts }, earlier)
    const created = await context.docs.api.createJob(
      job.project,
      withOrigin(prompt, originOf(context, job, prompts)),
    )
    void context.docs.deployment.requestAnswered(queue)
    return { kind: "created", agentJobId: created.id, prLink: created.prLink ?? undefined }
  } catch (error) {
    if (!(error instanceof DocsError)) throw error
    const { deployment } = context.docs
    if (error.fault === "forbidden")
      return outcomeOf(error, await deployment.requestForbidden(queue, grant.job.id))
    if (error.status !== undefined) void deployment.requestAnswered(queue)
    return outcomeOf(error)
  }
}

function originOf({ settings, slack }: Context, job: Job, prompts: Prompts): string | undefined {
  const [first] = currentAsks(job)
  return originLine(settings.origin, {
    channel: job.channel,
    permalink: job.card && slack.state.permalink(job.channel, job.card, job.thread),
    speaker: prompts[first?.id ?? ""]?.speaker,
  })
}

/**
 * Checks again whether everybody in the round may still ask. If Slack does not answer in time, the
 * check before the card counts.
 */
async function onlyAllowed(context: Context, grant: Grant): Promise<Job> {
  const { job } = grant
  const refused: string[] = []
  const late = AbortSignal.timeout(CHECK_MS)
  for (const ask of currentAsks(job)) {
    const checking = refusedSince(context, { user: ask.user, channel: job.channel })
    const refusal = await raceAbort(late, checking, "late" as const)
    if (refusal === "late") break
    if (!refusal) continue
    await tellRefused(context, job, { ask, refusal })
    refused.push(ask.id)
  }
  const left = { ...job, ...withoutAsks(job, refused) }
  // If this leaves nobody in the round, the creation's outcome ends it.
  if (refused.length === 0 || currentAsks(left).length === 0) return left
  const changed = await context.jobs.change(job.id, ({ job: latest, now }) =>
    prepared(latest, { allowed: [], refused, now }),
  )
  return changed?.job ?? left
}

/** Continues a job with a message, unless its pull request is over or there are no messages. */
async function send(
  context: Context,
  { job, queue }: Pick<Grant, "job" | "queue">,
  prompts: Prompts,
  hasMessages: boolean,
): Promise<CreationOutcome> {
  const { api, deployment } = context.docs
  const { agentJobId } = job
  if (!api.sendMessage || !agentJobId || !takesMessages(job, hasMessages))
    return { kind: "needs_job" }
  try {
    const status = await api.sendMessage(job.project, agentJobId, composeMessage(job, prompts))
    void deployment.requestAnswered(queue)
    return { kind: "created", agentJobId, isActiveAgain: status === "active" }
  } catch (error) {
    if (!(error instanceof DocsError && ABSENT.has(error.status ?? 0))) throw error
    // If the service knows the job, it offers no messages, except that a 403 may be about the words.
    // Not awaited: the time recorded for the creation covers one request, and this is a second one,
    // which may take just as long.
    if (error.fault !== "forbidden")
      api
        .getJob(job.project, agentJobId)
        .then(() => deployment.lacksMessages(job.project))
        .catch(() => {})
    return { kind: "needs_job" }
  }
}
