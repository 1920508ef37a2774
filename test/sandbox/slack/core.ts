import type { FaultBoard } from "../kit/fault-board.ts"
import type { AgentSurface, SuggestedPrompt } from "./agent-surface.ts"
import type { DeliveryRecord, Transport } from "./delivery/delivery.ts"
import type { HttpTransportOptions } from "./delivery/http-transport.ts"
import type { ResponseUrls } from "./delivery/response-urls.ts"
import type { Retries } from "./delivery/retries.ts"
import type { SocketHub } from "./delivery/socket-hub.ts"
import type { Triggers } from "./delivery/triggers.ts"
import type { GroupMentions } from "./options.ts"
import type { WebApiCall } from "./web-api/call.ts"
import type { Fault, FaultTarget } from "./web-api/faults.ts"
import type { RateLimits } from "./web-api/rate-limits.ts"
import type { Refusals } from "./web-api/refusals.ts"
import type { Uploads } from "./web-api/uploads.ts"
import type { Workspace } from "./workspace/workspace.ts"

/** Settings that an admin of the workspace or of the app can change at any time. */
export interface Settings {
  readonly botToken: string
  readonly appToken: string | undefined
  tokenState: "active" | "revoked" | "inactive"
  scopes: ReadonlySet<string>
  events: ReadonlySet<string>
  refusals: Refusals
  agent: AgentSurface
  /** Prompts from the manifest, for people who get none from the app. */
  readonly manifestPrompts: readonly SuggestedPrompt[] | undefined
  /** Event that a mention in a group direct message causes. */
  readonly groupMentions: GroupMentions
  /** True if an admin enabled markup for people, channels and links in commands. */
  escapeCommands: boolean
  eventsUrl: string | undefined
  /** Root URL of this server, without a trailing slash. */
  url: string
}

/** Parts of a running local Slack, for the code that serves the app and acts for people. */
export interface Core {
  readonly workspace: Workspace
  readonly settings: Settings
  /** Violations of our rules that Slack tolerates. */
  readonly violations: string[]
  readonly calls: WebApiCall[]
  readonly faults: FaultBoard<Fault, FaultTarget>
  readonly rateLimits: RateLimits
  readonly triggers: Triggers
  readonly responseUrls: ResponseUrls
  readonly uploads: Uploads
  readonly deliveries: DeliveryRecord[]
  /** Number of calls and of deliveries kept. */
  readonly keep: number
  readonly retries: Retries
  readonly sockets: SocketHub
  readonly transport: Transport
  /** Signed HTTP in either mode, for manual requests. */
  readonly http: HttpTransportOptions
  /** Controller that aborts when the local Slack closes. */
  readonly closing: AbortController
}
