import type { Gate, ProfileSource } from "../access/gate.ts"
import type { AccessRules } from "../access/rules.ts"
import type { Forgetting } from "../audit/entry.ts"
import type { Finding } from "../doctor/finding.ts"
import type { HourLimits } from "../jobs/estimate.ts"
import type { JobStore } from "../jobs/ports.ts"
import type { Projects } from "../jobs/project-choice.ts"
import type { QueueStore } from "../jobs/queue-ports.ts"
import type { OptionalOperations } from "../jobs/service-ports.ts"
import type { IsOwnDirect, Outbound } from "../ports/outbound.ts"
import type { Greeted, Sessions, Surface } from "../sessions/ports.ts"

/** What admins can ask of the bot about itself. */
interface AdminDeps {
  /** Looks at the set-up. Takes seconds; changes nothing. */
  examine(): Promise<Finding[]>
  /** Sends the audit to this person as a file. Absent where none is kept. @throws SlackError */
  sendAudit: ((user: string) => Promise<void>) | undefined
}

/** What the Slack entries of the docs agent work with. */
export interface AgentDeps {
  jobs: JobStore
  queue: QueueStore
  outbound: Outbound
  /** This, `profileForName` and `whoWeAre` soon fail with `slow` if Slack is, as an acknowledgement waits for them. */
  gate: Gate
  /** For showing people's names, never for deciding who may do what. */
  profileForName: ProfileSource
  /** The bot's own user and team. Throws SlackError while Slack does not tell. */
  whoWeAre: () => Promise<{ user: string; team: string }>
  /** The same with all the time that Slack takes: for what comes after an acknowledgement. */
  afterAck: Pick<AgentDeps, "gate" | "profileForName" | "whoWeAre">
  isOwnDirect: IsOwnDirect
  rules: AccessRules
  limits: HourLimits & { maxQueuedPerUser: number }
  projects: Projects
  admin: AdminDeps
  forgetting: Forgetting
  /** Does the prompt say who asked, and where? */
  promptOrigin: boolean
  operations: OptionalOperations
  sessions: Pick<Sessions, "jobsIn" | "showAgain" | keyof Surface>
  greeted: Greeted
  /** Called with the error code when Slack turns out not to offer this app its features for agents. */
  onSurfaceOff: (code: string) => void
  /**
   * Asks for a preview of a job's branch; false where one is on its way, where there is no branch, and where
   * one was asked for later than `after`, ms: the person saw what was before it.
   */
  askPreview: (job: string, by: string, after?: number) => Promise<boolean>
  /** Has pull requests polled soon that somebody wants to see; absent where none are followed. */
  pollSoon: ((pulls: readonly string[]) => Promise<void>) | undefined
  /** May a follow-up be sent as a message, if the deployment accepts them? Otherwise it is always a new job. */
  hasMessages: boolean
  /** Where the operator's GitHub is: pull requests there are named without it. */
  gitHubHost: string
  /** A message's address, once the workspace's is known. */
  permalink: (channel: string, ts: string) => string | undefined
  /** The code with which Slack refuses the bot's token, if it does. */
  tokenRefused: () => string | undefined
}
