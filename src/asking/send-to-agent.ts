import { ABSENT, DocsError, type DocsFault } from "../docs-service/docs-error.ts"
import { takesMessages } from "../jobs/begin-round.ts"
import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import type { PauseReason } from "../jobs/pause-record.ts"
import { prepared } from "../jobs/prepare-round.ts"
import type { Prompts } from "../jobs/request-record.ts"
import type { Ask } from "../jobs/round-record.ts"
import { currentAsks, isUpdate, withoutAsks } from "../jobs/rounds.ts"
import type { AttemptOutcome } from "../jobs/send-round.ts"
import { raceAbort } from "../lib/time.ts"
import { refusedSince } from "./access-rules.ts"
import { composeMessage, creationPrompt } from "./agent-prompt.ts"
import { type RefusedAsk, tellRefused } from "./tell-requesters.ts"

/** Maximum ms of the last check of who asks: a grant is late after `SEND_WITHIN_MS`. */
const CHECK_MS = 2000

/**
 * Sends a round to the agent, as a new job at the service or as a message to the one that it changes.
 * Resolves to what came of it. @param isLate whether the grant is too old to send anything
 */
export async function sendToAgent(
  context: Context,
  { job: granted, queue }: { job: Job; queue: string },
  isLate: () => boolean,
): Promise<AttemptOutcome> {
  const { deployment } = context.docs
  try {
    const prompts = await context.jobs.wholePromptsOf(currentAsks(granted))
    const readable = await onlyReadable(context, granted, prompts)
    if (currentAsks(readable).length === 0) return { kind: "unreadable" }
    const job = await onlyAllowed(context, readable)
    if (currentAsks(job).length === 0) return { kind: "not_allowed" }
    const message = composeMessage(job, prompts)
    if (message === "") return { kind: "no_text" }
    const prompt = isUpdate(job) ? message : await creationPrompt(context, job, prompts)
    const hasMessages = isUpdate(job) && (await deployment.offersMessages(job.project))
    // Redis or Slack may have answered the checks above slowly.
    if (isLate()) return { kind: "put_back" }
    const outcome = isUpdate(job)
      ? await sendMessage(context, job, prompt, hasMessages)
      : await createJob(context, job, prompt)
    if (outcome.kind === "created") void deployment.requestAnswered(queue)
    return outcome
  } catch (error) {
    if (!(error instanceof DocsError)) throw error
    if (error.fault === "forbidden") {
      // Not the round: with *Run again*, the same words may be refused again.
      const [request] = currentAsks(granted)
      return outcomeOf(error, await deployment.requestForbidden(queue, request?.id ?? granted.id))
    }
    if (error.status !== undefined) void deployment.requestAnswered(queue)
    return outcomeOf(error)
  }
}

/**
 * Leaves out requests whose texts are gone or don't parse, unless their requesters asked to be
 * forgotten.
 */
async function onlyReadable(context: Context, job: Job, prompts: Prompts): Promise<Job> {
  const isMissing = ({ id }: Ask) => prompts[id] === undefined
  if (!currentAsks(job).some(isMissing)) return job
  // Somebody may have asked for that since the grant.
  const latest = (await context.jobs.find(job.id))?.job ?? job
  const missing = currentAsks(latest).filter((ask) => isMissing(ask) && !ask.isForgotten)
  const refused = missing.map((ask) => ({ ask, refusal: "unreadable" as const }))
  return without(context, job, refused, "unreadable")
}

/**
 * Checks again whether everybody in the round may still ask. If Slack does not answer in time, the
 * check before the card counts.
 */
async function onlyAllowed(context: Context, job: Job): Promise<Job> {
  const refused: RefusedAsk[] = []
  const late = AbortSignal.timeout(CHECK_MS)
  for (const ask of currentAsks(job)) {
    const checking = refusedSince(context, { user: ask.user, channel: job.channel })
    const refusal = await raceAbort(checking, late, "late" as const)
    if (refusal === "late") break
    if (refusal) refused.push({ ask, refusal })
  }
  return without(context, job, refused, "not_allowed")
}

/** Tells the requesters of refused requests, and takes these out of the round. */
async function without(
  context: Context,
  job: Job,
  told: readonly RefusedAsk[],
  ending: "not_allowed" | "unreadable",
): Promise<Job> {
  for (const refused of told) await tellRefused(context, job, refused)
  const refused = told.map(({ ask }) => ask.id)
  const left = { ...job, ...withoutAsks(job, refused) }
  // If this leaves nobody in the round, the creation's outcome ends it.
  if (refused.length === 0 || currentAsks(left).length === 0) return left
  const changed = await context.jobs.change(job.id, ({ job: latest, now }) =>
    prepared(latest, { allowed: [], refused, ending, now }),
  )
  return typeof changed === "object" ? changed.job : left
}

async function createJob({ docs }: Context, job: Job, prompt: string): Promise<AttemptOutcome> {
  const { id: agentJobId, prLink } = await docs.api.createJob(job.project, prompt)
  return { kind: "created", agentJobId, prLink }
}

/** Continues a job with a message, unless its pull request is over or there are no messages. */
async function sendMessage(
  { docs }: Context,
  job: Job,
  message: string,
  hasMessages: boolean,
): Promise<AttemptOutcome> {
  const { agentJobId } = job
  if (!docs.api.sendMessage || !agentJobId || !takesMessages(job, hasMessages))
    return { kind: "needs_job" }
  try {
    const status = await docs.api.sendMessage(job.project, agentJobId, message)
    return { kind: "created", agentJobId, isActiveAgain: status === "active" }
  } catch (error) {
    if (!(error instanceof DocsError && ABSENT.has(error.status ?? 0))) throw error
    // A 403 may be about the words.
    if (error.fault !== "forbidden") void noteMissingMessages(docs, job.project, agentJobId)
    return { kind: "needs_job" }
  }
}

/**
 * Notes that the service offers no messages, if it knows the job to which it took none. The caller
 * doesn't wait for that: the time recorded for the creation covers one request, and this is a second
 * one, which may take just as long.
 */
async function noteMissingMessages(
  { api, deployment }: Context["docs"],
  project: string,
  agentJobId: string,
): Promise<void> {
  try {
    await api.getJob(project, agentJobId)
    await deployment.lacksMessages(project)
  } catch {
    // The next follow-up finds out.
  }
}

/** Reasons by what the service answered to a creation; no other answer pauses the queue. */
const REASONS: Partial<Record<DocsFault, PauseReason>> = {
  rate_limited: "rate_limited",
  key_refused: "key_refused",
  forbidden: "forbidden",
  unreachable: "outage",
}

/**
 * Decides what a failed creation means. The bot repeats a creation only if it certainly had no
 * effect. The service has no idempotency key, so the bot reports every unknown outcome instead.
 * @param isAlone whether a 403 is about this request, not about the key
 */
export function outcomeOf(error: DocsError, isAlone = false): AttemptOutcome {
  const reason = REASONS[error.fault]
  if (reason && !isAlone)
    return { kind: "put_back", reason, pauseMs: error.retryAfterMs, cause: error }
  const refused = isAlone || error.fault === "bad_request" || error.fault === "not_found"
  return refused
    ? { kind: "refused", detail: error.detail ?? `HTTP ${error.status}`, cause: error }
    : { kind: "unknown", detail: error.detail ?? error.fault, cause: error }
}
