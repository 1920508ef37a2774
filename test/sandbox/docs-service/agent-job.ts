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
  readonly endedAt: number | null
  readonly messages: readonly { readonly at: number; readonly prompt: string }[]
  /** Number and address reserved for the job's pull request. */
  readonly pull: { readonly number: number; readonly link: string }
  readonly pullOpenedAt: number | null
  /** Link set by a test, reported whatever the run does. */
  readonly forcedLink: { readonly link: string | null } | null
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

/** Returns the epoch ms of the job's next planned change, or undefined if there is none. */
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

/** Ends an active job immediately; returns a job that has already ended unchanged. */
export function end(job: LocalJob, ending: JobEnding, at: number): LocalJob {
  if (job.status !== "active") return job
  const opened = ending === "pull_request" || job.pullOpenedAt !== null ? openPull(job, at) : job
  const ended = { ...opened, endedAt: at }
  if (ending === "failed") return { ...ended, status: "failed" }
  if (ending === "archived") return { ...ended, status: "archived", archivedAt: at }
  return { ...ended, status: "completed" }
}

/** Makes the job active again and hides its link: the document has none for an active job. */
export function restart(job: LocalJob, plan: JobPlan, at: number): LocalJob {
  const prLink = job.forcedLink ? job.forcedLink.link : null
  const run = { startedAt: at, plan }
  return { ...job, status: "active", prLink, archivedAt: null, endedAt: null, run }
}

export function forceLink(job: LocalJob, link: string | null): LocalJob {
  return { ...job, prLink: link, forcedLink: { link } }
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
  const pullOpenedAt = job.pullOpenedAt ?? at
  const prLink = job.forcedLink ? job.forcedLink.link : job.pull.link
  if (prLink === job.prLink && pullOpenedAt === job.pullOpenedAt) return job
  return { ...job, prLink, pullOpenedAt }
}
