import { RESTS } from "../config/timing.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import { raceAbort } from "../runtime/race-abort.ts"
import { NOT_CONFIGURED } from "./job.ts"
import type { CreationOutcome, CreationSlots, Grant, PauseReason, Prompt } from "./ports.ts"

/** A process that ends: it starts nothing any more, and a while later waits for nothing any more. */
export interface Stop {
  stopping: AbortSignal
  hurry: AbortSignal
}

const STOPPED: CreationOutcome = {
  kind: "unknown",
  detail: "the bot was stopped before the service answered",
}

/**
 * One pass over one project: ends creations of dead processes, then starts what the hour allows.
 * Returns how long nothing can start, ms, and `restMs` at most.
 */
export async function dispatchPass(
  project: string,
  { slots, docs, restMs }: { slots: CreationSlots; docs: DocsApi; restMs: number },
  { stopping, hurry }: Stop,
): Promise<number> {
  await slots.sweep(project)
  while (!stopping.aborted) {
    const result = await slots.next(project, (grant) =>
      raceAbort(hurry, create(docs, grant), STOPPED),
    )
    if (result !== "ran")
      return Math.min(Number.isFinite(result.waitMs) ? result.waitMs : RESTS.dispatch, restMs)
  }
  return 0
}

async function create(docs: DocsApi, { job, prompt }: Grant): Promise<CreationOutcome> {
  try {
    if (job.follows && docs.sendMessage) {
      await docs.sendMessage(job.project, job.follows, composePrompt(prompt))
      return { kind: "created", agentJobId: job.follows }
    }
    const created = await docs.createJob(job.project, composePrompt(prompt))
    return { kind: "created", agentJobId: created.id, prLink: created.prLink ?? undefined }
  } catch (error) {
    if (error instanceof DocsError) return outcomeOf(error)
    throw error
  }
}

/** The text that goes to the service: quoted context, the person's own words, who asked if wanted. */
function composePrompt({ words, context, origin }: Prompt): string {
  return [context, words, origin].filter(Boolean).join("\n\n")
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
  if (reason) return { kind: "put_back", reason, pauseMs: error.retryAfterMs }
  if (error.fault === "not_configured") return { kind: "refused", detail: NOT_CONFIGURED }
  const refused = error.fault === "bad_request" || error.fault === "not_found"
  return refused
    ? { kind: "refused", detail: error.detail ?? `HTTP ${error.status}` }
    : { kind: "unknown", detail: error.detail ?? error.fault, cause: error }
}
