import type { z } from "zod"
import type { agentJobSchema, visitorsPageSchema } from "./schema.ts"

export type AgentJob = z.infer<typeof agentJobSchema>
/** One page of the visitors export. */
export type VisitorsPage = z.infer<typeof visitorsPageSchema>
/** Unique visitors. `total` is deduplicated by the service: it is never human + ai. */
export type Figures = VisitorsPage["totals"]
export type PageVisitors = VisitorsPage["visitors"][number]

/** What the use cases need of the documentation service. Every method throws only `DocsError`. */
export interface DocsApi {
  /** Not idempotent: the service has no idempotency key, so a lost answer is never retried. */
  createJob(project: string, prompt: string): Promise<AgentJob>
  getJob(project: string, agentJobId: string): Promise<AgentJob>
  /** A follow-up to an existing job; only where the deployment has such an operation. */
  sendMessage: ((project: string, agentJobId: string, prompt: string) => Promise<void>) | undefined
  visitors(project: string, query: VisitorsQuery): Promise<VisitorsPage>
}

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
