export type JobEnding = "pull_request" | "no_pull_request" | "failed" | "archived"

interface Run {
  readonly ending: JobEnding | "never"
  /** Time in ms from the start of the run to its ending. */
  readonly afterMs: number
  /** Time in ms until `prLink` appears, while the job is still active. */
  readonly prAfterMs?: number | undefined
}

/** Planned run of a new job. `followUp` is the run after each message sent to the job. */
export interface JobPlan extends Run {
  readonly followUp?: Run | undefined
}

type AgentJobStatus = "active" | "completed" | "archived" | "failed"

/** Agent job as the local service stores it. All times are epoch ms. */
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
  readonly messages: readonly { readonly at: number; readonly prompt: string }[]
  /** Number and address reserved for the job's pull request. */
  readonly pull: { readonly number: number; readonly link: string }
  readonly pullOpenedAt: number | null
  readonly run: { readonly startedAt: number; readonly plan: JobPlan }
}

/** Returns the job's state at `now`, or the same object if nothing changed. */
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

/** Ends an active job immediately; returns a job that has already ended unchanged. */
export function end(job: LocalJob, ending: JobEnding, at: number): LocalJob {
  if (job.status !== "active") return job
  const opened = ending === "pull_request" || job.pullOpenedAt !== null ? openPull(job, at) : job
  if (ending === "failed") return { ...opened, status: "failed" }
  if (ending === "archived") return { ...opened, status: "archived", archivedAt: at }
  return { ...opened, status: "completed" }
}

/** Makes the job active again and hides its link: the document has none for an active job. */
export function restart(job: LocalJob, plan: JobPlan, at: number): LocalJob {
  const run = { startedAt: at, plan }
  return { ...job, status: "active", prLink: null, archivedAt: null, run }
}

/** Returns the body of a response, as in section 2.1 of the service's API document. */
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
  if (job.prLink !== null && job.pullOpenedAt !== null) return job
  return { ...job, prLink: job.pull.link, pullOpenedAt: job.pullOpenedAt ?? at }
}
