import type { FaultHandle } from "../kit/fault-board.ts"
import type { JobEnding, JobPlan, LocalJob } from "./agent-job.ts"
import type { LocalConversation } from "./analytics/conversations.ts"
import type { DocsListener } from "./events.ts"
import type { ActiveFault, Fault } from "./faults.ts"
import type { LocalPreview } from "./preview.ts"
import type { Project, ProjectOptions } from "./project.ts"
import type { SeenRequest } from "./request-log.ts"
import type { WindowState } from "./rolling-window.ts"
import type { Settings, SettingsChanges } from "./settings.ts"
import type { Creation } from "./state.ts"
import type { VisitorExport } from "./visitors/visitors.ts"
import type { LimitedKind } from "./windows.ts"

export interface DocsServiceOptions extends SettingsChanges {
  readonly projects: readonly ProjectOptions[]
  /** A path the API lives below, such as `/docs-api`; pull request pages do not. */
  readonly basePath?: string
  /** Where the source repositories are, such as a local GitHub; this service unless given. */
  readonly repositoriesUrl?: string
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** The clock all hours, job progress and dates go by, in epoch ms. */
  readonly now?: () => number
  /** The id of the n-th job, counted from 1; any text, since the document shows no format. */
  readonly idFor?: (n: number) => string
  /** The rolling window of creations, messages and analytics, in ms. */
  readonly windowMs?: number
  /** How many requests `requests` remembers. */
  readonly requestLogSize?: number
}

/** The local documentation service: what a client sees over HTTP, and the strings behind it. */
export interface DocsService extends AsyncDisposable {
  /** The `{base_url}` of the API. */
  readonly url: string
  readonly projects: readonly Omit<Project, "key">[]

  /** Every creation that took effect, oldest first, also where its answer was then dropped. */
  readonly creations: readonly Creation[]
  /** Every preview that was asked for and accepted, oldest first, also where the answer was lost. */
  readonly previews: readonly LocalPreview[]
  /** Jobs of a project, oldest first, as they stand now. */
  jobs(projectId: string): LocalJob[]
  job(jobId: string): LocalJob | undefined
  /** What the next created jobs will do, first in, first out. */
  plan(...plans: JobPlan[]): void
  /** What every job without a plan of its own will do from now on. */
  planAll(plan: JobPlan): void
  /** Forgets the plans of the next jobs; the default stays. */
  clearPlans(): void
  plans(): { next: JobPlan[]; later: JobPlan }
  /** Ends an active job at once. @throws when there is no such job. */
  finish(jobId: string, ending: JobEnding): void
  /** Turns a job active again, as a follow-up from the service's dashboard does. */
  reactivate(jobId: string, plan?: JobPlan): void
  /** Reports this link from now on, whatever the job does. Not validated: that is the point. */
  setPrLink(jobId: string, link: string | null): void

  /** The last requests, newest last. */
  readonly requests: readonly SeenRequest[]
  /** How many connections were opened to it so far. */
  readonly connections: number
  /** @throws ZodError when the fault has no known shape. */
  fail(fault: Fault): FaultHandle
  faults(): ActiveFault[]
  clearFault(id: string): boolean
  clearFaults(): void

  /** The project's creations or messages, or its organization's analytics, in the window until now. */
  hour(projectId: string, of?: LimitedKind): WindowState
  /** Other clients make `n` such requests with the same project or key; no more is known. */
  spendElsewhere(projectId: string, n: number, of?: LimitedKind): void

  /** What an export of these UTC days (`YYYY-MM-DD`, `toExclusive` left out) holds in all. */
  truth(projectId: string, from: string, toExclusive: string): VisitorExport

  /** What readers asked the assistant on these UTC days, newest first, with what it was about. */
  conversations(projectId: string, from: string, toExclusive: string): readonly LocalConversation[]

  readonly settings: Settings
  /** @throws ZodError when a value is out of range. */
  configure(changes: SettingsChanges): void
  /** Calls back on every request and change. @returns what ends the subscription. */
  subscribe(listener: DocsListener): () => void
  /** Drops open connections, ends timers and frees the port. */
  close(): Promise<void>
}
