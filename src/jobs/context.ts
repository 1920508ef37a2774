import type { Config } from "../config/config.ts"
import type { Timing } from "../config/timing.ts"
import type { DocsApi } from "../docs-service/docs-client.ts"
import type { OptionalOperations } from "../docs-service/optional-operations.ts"
import type { SlackState } from "../slack/identity.ts"
import type { IsOwnDirect } from "../slack/membership.ts"
import type { ProfileSource } from "../slack/profiles.ts"
import type { ReadFile } from "../slack/read-file.ts"
import type { OutsidersAmong, ReadThread } from "../slack/read-thread.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import type { OnBroken } from "../store/records.ts"
import type { Store } from "../store/script.ts"
import type { Gate } from "./access.ts"
import type { Drafts } from "./drafts.ts"
import type { JobEvents } from "./events.ts"
import type { JobStore } from "./job-store.ts"
import type { HealthStore } from "./pause-store.ts"
export interface Readers {
  gate: Gate
  profileOf: ProfileSource
  readThread: ReadThread
  readFile: ReadFile
  outsidersAmong: OutsidersAmong
}

/** Stores in Redis, and its clock. */
interface Kept {
  store: Store
  jobs: JobStore
  health: HealthStore
  drafts: Drafts
  /** Reads Redis's clock, in ms. */
  now: () => Promise<number>
}

/** How the bot writes to Slack and knows its place there. */
export interface SlackSide {
  /** Writes at Slack's pace; a caller may wait for its turn. */
  outbound: Outbound
  /** Outbound of the delivery, which takes its turns itself. */
  unpaced: Outbound
  whoWeAre: () => Promise<{ user: string }>
  permalink: SlackState["permalink"]
  isOwnDirect: IsOwnDirect
  isDeclared: () => boolean
  /** Opens an agent's thread in a direct message; resolves to whether Slack has it. */
  openThread: (of: { channel: string; thread: string }) => Promise<boolean>
  channelFacts: (
    channel: string,
  ) => Promise<{ channel: string; botUser: string; admins: readonly string[] }>
  /** Returns the response_url of the command that asked, while Slack accepts it. */
  replyUrl: (ask: string) => Promise<string | undefined>
}

/** The documentation service, and what was learned of this deployment. */
interface DocsSide {
  docs: DocsApi
  operations: OptionalOperations
  hasMessages: (project: string) => Promise<boolean>
  /** Projects for which this process has found a job at `DOCS_JOB_PATH`. */
  foundOnce: Set<string>
  /** Job by project that this process could not read last; an accepted read clears it. */
  refusedReads: Map<string, string>
  /** Job by queue whose creation got a 403, until another creation is answered otherwise. */
  suspects: Map<string, string>
}

/** Settings, and what follows from them alone. */
interface SettingsSide {
  config: Config
  timing: Timing
  rules: Config["access"]
  admins: readonly string[]
  limits: Config["limits"]
  auditDays: number
  gitHubHost: string
  projectKeys: readonly string[]
  keyIdOf: (project: string) => string
  /** Time in ms from a grant to the creation's latest possible arrival at the service. */
  creationDeadlineMs: number
  nameOf: (project: string) => string
  /** Returns the project's name for cards; undefined if the bot serves only one. */
  labelOf: (project: string) => string | undefined
}

/** Everything that a use case about jobs may need; each says which part it takes. */
export interface Context extends Kept, SlackSide, Readers, DocsSide, SettingsSide {
  events: JobEvents
  onBroken: OnBroken
}
