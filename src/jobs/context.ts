import type { BotSettings } from "../config/config.ts"
import type { DocsApi } from "../docs-service/docs-api.ts"
import type { DocsFault } from "../docs-service/docs-error.ts"
import type { Log } from "../lib/log.ts"
import type { ReadFile } from "../slack/accepted-text-files.ts"
import type { Places } from "../slack/channel-membership.ts"
import type { SlackState } from "../slack/identity.ts"
import type { ProfileSource } from "../slack/profiles.ts"
import type { OutsidersAmong, ReadThread } from "../slack/read-thread.ts"
import type { Outbound } from "../slack/write-to-slack.ts"
import type { OnBroken } from "../store/records.ts"
import type { Store } from "../store/script.ts"
import type { Changed } from "./change.ts"
import type { Deployment } from "./deployment.ts"
import type { Job } from "./job.ts"
import type { Kind } from "./job-keys.ts"
import type { JobStore } from "./job-store.ts"
import type { HealthStore, KeyFault } from "./pause-record.ts"
import type { NewRequest, Submitted } from "./request-record.ts"
import type { AttemptOutcome } from "./send-round.ts"

/** Slack: how the bot writes and reads there, and knows itself, its places and people. */
export interface SlackSide {
  /** Writes at Slack's pace; a caller may wait for its turn. */
  outbound: Outbound
  /** Outbound of the delivery, which takes its turns itself. */
  unpaced: Outbound
  state: SlackState
  places: Places
  profileOf: ProfileSource
  readThread: ReadThread
  readFile: ReadFile
  outsidersAmong: OutsidersAmong
}

/** The documentation service, and what was learned of this deployment. */
interface DocsSide {
  api: DocsApi
  deployment: Deployment
}

/**
 * Everything that passes and use cases about jobs share, over one connection to Redis. Pure
 * functions and small adapters take the values that they need instead.
 */
export interface Context {
  store: Store
  jobs: JobStore
  health: HealthStore
  slack: SlackSide
  docs: DocsSide
  settings: BotSettings
  events: JobEvents
  log: Log
}

/** Events about jobs, which `operating/metrics/count-jobs.ts` reports to the log and the metrics. */
export interface JobEvents {
  asked: (request: NewRequest, answer: Submitted) => void
  changed: (changed: Changed) => void
  /** Reports a record in Redis that does not parse. */
  unreadable: OnBroken
  created: (job: Job, outcome: AttemptOutcome) => void
  /** Reports attempts whose process died. */
  lost: (queue: string, count: number) => void
  /** Reports that `DATA_DIR` is not writable. */
  notKept: (error: unknown) => void
  polled: (job: Job, result: "ok" | DocsFault) => void
  /** Reports an unexpected error of one kind of work on a job. */
  stepFailed: (kind: Kind, job: Job, error: unknown) => void
  /** Reports an unexpected error. @param failures in a row, including this one */
  deliveryFailed: (job: Job, error: unknown, failures: number) => void
  /** Reports that the service refuses to read jobs with the project's key. */
  paused: (project: string, reason: KeyFault) => void
  /** Reports that the service accepts the key again. */
  resumed: (project: string) => void
}
