/** A job of the service as a poll finds it, as far as the bot needs it. */
export interface AgentJob {
  /** Whatever the service calls a job that has not ended is "active". */
  status: "active" | "completed" | "archived" | "failed"
  prLink?: string | undefined
  /** The branch that the agent works on, where the service says it. */
  branch?: string | undefined
}

interface CreatedJob {
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

/** One question to the docs' assistant. What is personal in it is masked; its answer is not kept. */
export interface AssistantQuestion {
  /** Tells talks apart. */
  talk: string
  text: string
  isAnswered: boolean
  /** The page it was asked on. */
  path?: string
}

/** What readers typed into the search of the docs, masked. */
export interface Search {
  text: string
  hits: number
  /** Click-through rate, as a share or in percent: the service's API does not say which. */
  clicks: number
  /** The page that was opened most; absent where none was. */
  path?: string
}

export interface PageThumbs {
  path: string
  up: number
  down: number
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
  /** Builds a branch, or builds it again. */
  buildPreview(project: string, branch: string): Promise<StartedPreview>
  previewStatus(project: string, statusId: string): Promise<PreviewStatus>
  visitors(project: string, query: VisitorsQuery): Promise<VisitorsPage>
  /** The next three are optional: a deployment without one answers 404, 403 or 501. */
  assistant(
    project: string,
    query: DaysQuery,
  ): Promise<{ questions: AssistantQuestion[]; isWhole: boolean }>
  searches(project: string, query: DaysQuery): Promise<Search[]>
  thumbs(project: string, query: DaysQuery): Promise<PageThumbs[]>
}

export interface DaysQuery {
  /** `YYYY-MM-DD`, first UTC day. */
  dateFrom: string
  /** `YYYY-MM-DD`, the first UTC day NOT included. */
  dateTo: string
  limit: number
}

/** A build of a branch: where to ask for it, and where to see it. A deployment may say either alone. */
export interface StartedPreview {
  statusId?: string | undefined
  url?: string | undefined
}

/** How far a build is; any field but the status may be missing. */
export interface PreviewStatus {
  status: "running" | "success" | "failure"
  summary?: string | undefined
  files?: { added: number; modified: number; removed: number } | undefined
}

type SendMessage = (
  project: string,
  agentJobId: string,
  prompt: string,
) => Promise<AgentJob["status"] | undefined>

/** 1..250 rows. */
interface VisitorsQuery extends DaysQuery {
  /** Rows to skip: (page - 1) * limit. */
  offset: number
}
