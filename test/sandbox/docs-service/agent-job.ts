import { z } from "zod"

const run = {
  ending: z.enum(["pull_request", "no_pull_request", "failed", "archived", "never"]),
  /** Milliseconds from the start of the run to its ending. */
  afterMs: z.number().int().min(0),
  /** Milliseconds until `prLink` shows up although the job is still active. */
  prAfterMs: z.number().int().min(0).optional(),
}

/** What a created job will do. `followUp` is what it does again after each message it is sent. */
export const jobPlanSchema = z.strictObject({ ...run, followUp: z.strictObject(run).optional() })
export const jobEndingSchema = run.ending.exclude(["never"])

export type JobPlan = z.infer<typeof jobPlanSchema>
export type JobEnding = z.infer<typeof jobEndingSchema>
type AgentJobStatus = "active" | "completed" | "archived" | "failed"

/** An agent job as the local service keeps it. All times are epoch milliseconds. */
export interface LocalJob {
  readonly id: string
  readonly projectId: string
  readonly prompt: string
  readonly status: AgentJobStatus
  readonly model: string
  readonly source: { readonly repository: string; readonly ref: string }
  readonly prLink: string | null
  readonly createdAt: number
  readonly archivedAt: number | null
  readonly endedAt: number | null
  readonly messages: readonly { readonly at: number; readonly prompt: string }[]
  /** The number and address reserved for its pull request. */
  readonly pull: { readonly number: number; readonly link: string }
  readonly pullOpenedAt: number | null
  /** Set by a test: the link to report whatever the run does. */
  readonly forcedLink: { readonly link: string | null } | null
  readonly run: { readonly startedAt: number; readonly plan: JobPlan }
}

/** The job as it stands at `now`; the very same object when nothing happened to it. */
export function advance(job: LocalJob, now: number): LocalJob {
  if (job.status !== "active") return job
  const { startedAt, plan } = job.run
  const age = now - startedAt
  const shown =
    plan.prAfterMs !== undefined && age >= plan.prAfterMs
      ? openPull(job, startedAt + plan.prAfterMs)
      : job
  if (plan.ending === "never" || age < plan.afterMs) return shown
  return end(shown, plan.ending, startedAt + plan.afterMs)
}

/** When something will next happen to the job by itself; undefined when nothing will. */
export function nextChange(job: LocalJob): number | undefined {
  if (job.status !== "active") return undefined
  const { startedAt, plan } = job.run
  const times = [
    ...(plan.prAfterMs !== undefined && job.prLink === null && !job.forcedLink
      ? [startedAt + plan.prAfterMs]
      : []),
    ...(plan.ending !== "never" ? [startedAt + plan.afterMs] : []),
  ]
  return times.length > 0 ? Math.min(...times) : undefined
}

/** Ends an active job at once. A job that has ended stays as it is. */
export function end(job: LocalJob, ending: JobEnding, at: number): LocalJob {
  if (job.status !== "active") return job
  const opened = ending === "pull_request" || job.pullOpenedAt !== null ? openPull(job, at) : job
  const ended = { ...opened, endedAt: at }
  if (ending === "failed") return { ...ended, status: "failed" }
  if (ending === "archived") return { ...ended, status: "archived", archivedAt: at }
  return { ...ended, status: "completed" }
}

/** Turns the job active again. The document reports no link for an active job, so it is hidden. */
export function restart(job: LocalJob, plan: JobPlan, at: number): LocalJob {
  const prLink = job.forcedLink ? job.forcedLink.link : null
  const run = { startedAt: at, plan }
  return { ...job, status: "active", prLink, archivedAt: null, endedAt: null, run }
}

export function forceLink(job: LocalJob, link: string | null): LocalJob {
  return { ...job, prLink: link, forcedLink: { link } }
}

/** The body of a response, section 2.1 of the service's API document. */
export function agentJobBody(job: LocalJob) {
  return {
    id: job.id,
    status: job.status,
    source: job.source,
    model: job.model,
    prLink: job.prLink,
    createdAt: new Date(job.createdAt).toISOString(),
    archivedAt: job.archivedAt === null ? null : new Date(job.archivedAt).toISOString(),
  }
}

function openPull(job: LocalJob, at: number): LocalJob {
  const pullOpenedAt = job.pullOpenedAt ?? at
  const prLink = job.forcedLink ? job.forcedLink.link : job.pull.link
  if (prLink === job.prLink && pullOpenedAt === job.pullOpenedAt) return job
  return { ...job, prLink, pullOpenedAt }
}
