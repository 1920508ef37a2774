import type { BotSettings } from "../config/config.ts"
import type { DocsApi } from "../docs-service/docs-client.ts"
import type { Evidence } from "../docs-service/evidence.ts"
import type { Log } from "../lib/log.ts"
import type { ReadFile } from "../slack/accepted-text-files.ts"
import type { Places } from "../slack/channel-membership.ts"
import type { SlackState } from "../slack/identity.ts"
import type { ProfileSource } from "../slack/profiles.ts"
import type { OutsidersAmong, ReadThread } from "../slack/read-thread.ts"
import type { Outbound } from "../slack/write-to-slack.ts"
import type { Store } from "../store/script.ts"
import type { JobEvents } from "./job-events.ts"
import type { JobStore } from "./job-store.ts"
import type { MessageSupport } from "./message-support.ts"
import type { HealthStore } from "./pause-store.ts"

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
  messages: MessageSupport
  evidence: Evidence
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
