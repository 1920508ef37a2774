/** A job of the service as a poll finds it, as far as the bot needs it. */
export interface AgentJob {
  /** Whatever the service calls a job that has not ended is "active". */
  status: "active" | "completed" | "archived" | "failed"
  prLink?: string | undefined
  /** The branch that the agent works on, where the service says it. */
  branch?: string | undefined
}

export interface CreatedJob {
  id: string
  prLink?: string | undefined
}

/** Unique visitors. `total` is deduplicated by the service: it is never human + ai. */
export interface Figures {
  human: number
  ai: number
  total: number
}

export interface PageVisitors extends Figures {
  path: string
}

/** One page of the visitors export. */
export interface VisitorsPage {
  totals: Figures
  visitors: PageVisitors[]
  hasMore: boolean
}

/** What the use cases need of the documentation service. Every method throws only `DocsError`. */
export interface DocsApi {
  /** Not idempotent: the service has no idempotency key, so a lost answer is never retried. */
  createJob(project: string, prompt: string): Promise<CreatedJob>
  getJob(project: string, agentJobId: string): Promise<AgentJob>
  /**
   * A follow-up to an existing job, where messages are not turned off. No more idempotent than a creation.
   * Resolves to the job's status where the service says it: the message is sent also where it does not.
   */
  sendMessage: SendMessage | undefined
  visitors(project: string, query: VisitorsQuery): Promise<VisitorsPage>
}

export type SendMessage = (
  project: string,
  agentJobId: string,
  prompt: string,
) => Promise<AgentJob["status"] | undefined>

export interface VisitorsQuery {
  /** `YYYY-MM-DD`, first UTC day. */
  dateFrom: string
  /** `YYYY-MM-DD`, the first UTC day NOT included. */
  dateTo: string
  /** 1..250 rows. */
  limit: number
  /** Rows to skip: (page - 1) * limit. */
  offset: number
}
