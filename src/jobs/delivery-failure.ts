import { againAfter, SLACK_TRIES } from "../config/timing.ts"
import type { SlackError } from "../errors/slack-error.ts"
import type { Outbound } from "../ports/outbound.ts"
import { deliverDirectly } from "./deliver-privately.ts"
import { afterCard } from "./edit.ts"
import { ELSEWHERE, isEnded, type Job } from "./job.ts"
import { hasLaterNews, type Step } from "./next-step.ts"
import type { JobStore } from "./ports.ts"
import { retryLater } from "./retry-delivery.ts"
import type { DeliveryResult, JobViews, OutboxEntry } from "./worker-ports.ts"

/** The detail of a job whose card could not be written for a reason of ours. */
export const BROKEN = "broken_here"

interface DeliveryFailureDeps {
  jobs: Pick<JobStore, "endQueued">
  onFailed: (job: Job, error: unknown, failures: number) => void
}

/**
 * What an unexpected error means for a delivery: this attempt failed, for this job alone. It is retried
 * at growing intervals and given up in the end, as a record that breaks a view does so every time. The
 * failed attempt may have posted, so the message is looked for first.
 */
export async function afterFailure(
  { jobs, onFailed }: DeliveryFailureDeps,
  { job }: OutboxEntry,
  error: unknown,
): Promise<DeliveryResult> {
  const failures = job.failures + 1
  onFailed(job, error, failures)
  const againMs = againAfter(job.failures)
  if (failures <= SLACK_TRIES.mostFailures) return { sure: false, failed: true, againMs }
  // Without a card no job is spent; that it ended is told in private.
  if (job.card === undefined && (await jobs.endQueued(job, "no_card", BROKEN)))
    return { sure: true, againMs: 0 }
  return withoutIt(job)
}

/** One message is given up; what comes after it is still said. */
function withoutIt(job: Job): DeliveryResult {
  const isClosing = isEnded(job) && job.closing === undefined
  if (isClosing) return { sure: true, closing: ELSEWHERE, againMs: 0 }
  if (job.rev !== job.shown.rev) return afterCard(job)
  const { later, reminder } = job
  if (hasLaterNews(job)) return { sure: true, laterShown: later.rev, againMs: 0 }
  return {
    sure: true,
    shown: { rev: job.rev },
    ...(reminder === "due" ? { reminder: ELSEWHERE } : {}),
  }
}

interface RefusalDeps {
  jobs: Pick<JobStore, "endQueued">
  outbound: Pick<Outbound, "direct">
  views: Pick<JobViews, "closing">
  gitHubHost: string
}

/** What Slack's refusal means for a step. */
export async function afterRefusal(
  deps: RefusalDeps,
  job: Job,
  step: Step,
  error: SlackError,
): Promise<DeliveryResult> {
  if (error.verdict !== "give_up") return retryLater(error)
  if (step === "edit") return afterCard(job)
  if (step === "edit_closing") return { sure: true, laterShown: job.later.rev, againMs: 0 }
  if (step === "reminder") return { sure: true, reminder: ELSEWHERE }
  if (step === "card") {
    // No job is spent. Telling the requester is a step of its own, so that a crash cannot lose it.
    await deps.jobs.endQueued(job, "no_card", error.code)
    return { sure: true, againMs: 0 }
  }
  // The thread is gone or closed to the bot: the requester is still told how the job ended.
  return isEnded(job)
    ? deliverDirectly(deps, job, deps.views.closing(job, deps.gitHubHost))
    : { sure: true }
}
