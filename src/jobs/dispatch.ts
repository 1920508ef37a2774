import { RESTS } from "../config/timing.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { AgentJob, DocsApi } from "../ports/docs-api.ts"
import { raceAbort } from "../runtime/race-abort.ts"
import { type Job, NOT_CONFIGURED } from "./job.ts"
import type { Prompt } from "./ports.ts"
import type { CreationOutcome, CreationSlots, Grant, PauseReason } from "./queue-ports.ts"
import type { OptionalOperations } from "./service-ports.ts"

/** How a process stops: first it starts nothing more, and a while later it stops waiting for what it started. */
export interface Stop {
  stopping: AbortSignal
  forceStop: AbortSignal
}

const STOPPED: CreationOutcome = {
  kind: "unknown",
  detail: "the bot was stopped before the service answered",
}

interface CreateDeps {
  docs: DocsApi
  operations: OptionalOperations
}

/**
 * One pass over one queue: ends creations of dead processes, then starts what the hour allows.
 * Returns how long nothing can start, ms, and `restMs` at most.
 */
export async function dispatchPass(
  queue: string,
  { slots, restMs, ...deps }: CreateDeps & { slots: CreationSlots; restMs: number },
  { stopping, forceStop }: Stop,
): Promise<number> {
  // Sent together with the first look: what it ends keeps its slot, so it makes no room.
  const sweeping = slots.sweep(queue)
  // Its failure is handled below; until then it must not count as unhandled, which would end the
  // process.
  sweeping.catch(() => {})
  while (!stopping.aborted) {
    const result = await slots.next(queue, (grant) =>
      raceAbort(forceStop, create(deps, grant), STOPPED),
    )
    if (result === "ran") continue
    if ((await sweeping) > 0) return 0
    return Math.min(Number.isFinite(result.waitMs) ? result.waitMs : RESTS.dispatch, restMs)
  }
  await sweeping
  return 0
}

async function create(deps: CreateDeps, { job, prompt }: Grant): Promise<CreationOutcome> {
  try {
    if (job.follows !== undefined) return await send(deps, job, job.follows, prompt)
    const created = await deps.docs.createJob(job.project, composePrompt(prompt))
    return { kind: "created", agentJobId: created.id, prLink: created.prLink ?? undefined }
  } catch (error) {
    if (error instanceof DocsError) return outcomeOf(error)
    throw error
  }
}

/** What a new job is told: earlier work, quoted context, the person's own words, who asked if wanted. */
function composePrompt({ earlier, ...prompt }: Prompt): string {
  return [earlier, composeMessage(prompt)].filter(Boolean).join("\n\n")
}

/** What a follow-up message says: the job knows the earlier work, as it did that itself. */
function composeMessage({ words, context, origin }: Prompt): string {
  return [context, words, origin].filter(Boolean).join("\n\n")
}

/** What a deployment answers if it has no messages, or takes none for this job. */
const NOT_THERE = new Set([403, 404, 405, 501])

/** Continues a job with a message; if that is not possible, the follow-up waits to become a job of its own. */
async function send(
  { docs, operations }: CreateDeps,
  { project }: Job,
  follows: string,
  prompt: Prompt,
): Promise<CreationOutcome> {
  const isAbsent = (await operations.presence(project, "message")) === "absent"
  if (!docs.sendMessage || isAbsent) return { kind: "needs_job" }
  let status: AgentJob["status"] | undefined
  try {
    status = await docs.sendMessage(project, follows, composeMessage(prompt))
  } catch (error) {
    if (!(error instanceof DocsError && NOT_THERE.has(error.status ?? 0))) throw error
    // Not waited for: the slot is stamped for one request, and another may take as long.
    learnAbsence({ docs, operations }, project, follows).catch(() => {})
    return { kind: "needs_job" }
  }
  await operations.learned(project, "message", "present")
  return { kind: "created", agentJobId: follows, isReactivated: status === "active" }
}

/** If the service knows the job, a 404 means that it has no messages. */
async function learnAbsence(
  { docs, operations }: CreateDeps,
  project: string,
  agentJobId: string,
): Promise<void> {
  await docs.getJob(project, agentJobId)
  await operations.learned(project, "message", "absent")
}

const PAUSES: Partial<Record<DocsError["fault"], PauseReason>> = {
  rate_limited: "rate_limited",
  key_refused: "key_refused",
  forbidden: "forbidden",
  unreachable: "outage",
}

/**
 * What a failed creation means. Only faults that certainly had no effect are tried again; the
 * service has no idempotency key, so everything in doubt is told instead.
 */
export function outcomeOf(error: DocsError): CreationOutcome {
  const reason = PAUSES[error.fault]
  if (reason) return { kind: "put_back", reason, pauseMs: error.retryAfterMs, cause: error }
  if (error.fault === "not_configured") return { kind: "refused", detail: NOT_CONFIGURED }
  const refused = error.fault === "bad_request" || error.fault === "not_found"
  return refused
    ? { kind: "refused", detail: error.detail ?? `HTTP ${error.status}`, cause: error }
    : { kind: "unknown", detail: error.detail ?? error.fault, cause: error }
}
