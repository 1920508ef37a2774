import type { Gate, ProfileSource } from "../access/gate.ts"
import type { AccessRules } from "../access/rules.ts"
import type { Finding } from "../doctor/finding.ts"
import type { HourLimits } from "../jobs/estimate.ts"
import type { JobStore, QueueStore } from "../jobs/ports.ts"
import type { Projects } from "../jobs/project-choice.ts"
import type { Outbound } from "../slack/outbound.ts"

/** What admins can ask of the bot about itself. */
export interface AdminDeps {
  /** Looks at the set-up. Takes seconds; changes nothing. */
  examine(): Promise<Finding[]>
}

/** What the Slack entries of the docs agent work with. */
export interface AgentDeps {
  jobs: JobStore
  queue: QueueStore
  outbound: Outbound
  gate: Gate
  profileOf: ProfileSource
  rules: AccessRules
  limits: HourLimits & { maxQueuedPerUser: number }
  projects: Projects
  admin: AdminDeps
  /** Does the deployment have a follow-up operation? */
  hasMessages: boolean
  /** A message's address, once Slack told the workspace's. */
  permalink: (channel: string, ts: string) => string | undefined
  /** The code with which Slack refuses the bot's token, if it does. */
  tokenRefused: () => string | undefined
  /** The bot's own user id, once Slack told it. */
  botUser: () => string | undefined
}
