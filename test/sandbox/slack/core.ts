import { setMaxListeners } from "node:events"
import { createFaultBoard } from "../kit/fault-board.ts"
import type { DeliveryRecord } from "./delivery/delivery.ts"
import { createHttpTransport } from "./delivery/http-transport.ts"
import { createResponseUrls, createTriggers } from "./delivery/short-lived-ids.ts"
import { SocketHub } from "./delivery/socket-hub.ts"
import {
  AGENT_EVENTS,
  AGENT_SCOPES,
  DEFAULT_EVENTS,
  DEFAULT_SCOPES,
  type LocalSlackOptions,
  type Shown,
} from "./options.ts"
import { people } from "./seed/people.ts"
import { isMeantFor } from "./server/serve-call.ts"
import type { WebApiCall } from "./web-api/call.ts"
import { createRefusals } from "./web-api/content.ts"
import type { Upload } from "./web-api/files.ts"
import { createRateLimits } from "./web-api/rate-limits.ts"
import { createWorkspace } from "./workspace/workspace.ts"

/** Parts of a running local Slack, for the code that serves the app and acts for people. */
export type Core = ReturnType<typeof createCore>

export function createCore(options: LocalSlackOptions) {
  const now = options.now ?? Date.now
  const { people: given, team, seed } = options
  const names = seed === "sandbox" ? "names" : "handles"
  const workspace = createWorkspace(given ?? people(team, names), now)
  const settings = initialSettings(options)
  const root = () => workspace.root.url
  const timeoutMs = options.ackTimeoutMs ?? 3_000
  const closing = new AbortController()
  // One listener per delivery that waits to be repeated.
  setMaxListeners(0, closing.signal)
  const { signingSecret } = options
  const { signal } = closing
  const http = { signingSecret, eventsUrl: () => settings.eventsUrl, timeoutMs, signal }
  const { appId } = workspace.bot
  const onChange = () => workspace.changes.emit({ type: "changed" })
  const sockets = new SocketHub({ appId, timeoutMs, root, onChange })
  /** Violations of your rules, and of what Slack recommends, that Slack tolerates. */
  const violations: string[] = []
  const { houseRules = () => [] } = options
  const calls: WebApiCall[] = []
  const deliveries: DeliveryRecord[] = []
  return {
    workspace,
    settings,
    violations,
    /** Records the violations by what the bot shows. */
    note(shown: Shown): void {
      violations.push(...houseRules(shown).map((violation) => `${shown.by}: ${violation}`))
    },
    calls,
    deliveries,
    /** Number of calls and of deliveries kept. */
    keep: options.keep ?? 10_000,
    faults: createFaultBoard(isMeantFor),
    rateLimits: createRateLimits(options.rateLimits === "slack", now),
    triggers: createTriggers(now),
    responseUrls: createResponseUrls(root, now),
    /** Announced uploads by file id. */
    uploads: new Map<string, Upload>(),
    /** Waits in ms before retries, and the number of events with a retry still to come. */
    retries: { delaysMs: options.eventRetryDelaysMs ?? [], ahead: 0 },
    sockets,
    transport: options.mode === "socket" ? sockets : createHttpTransport(http),
    /** Signed HTTP in either mode, for manual requests. */
    http,
    /** Controller that aborts when the local Slack closes. */
    closing,
  }
}

/** Returns settings that an admin of the workspace or of the app can change at any time. */
function initialSettings(options: LocalSlackOptions) {
  const agent = options.agent ?? "undeclared"
  const [moreScopes, moreEvents] = agent === "declared" ? [AGENT_SCOPES, AGENT_EVENTS] : [[], []]
  return {
    botToken: options.botToken,
    appToken: options.appToken,
    tokenState: "active" as "active" | "revoked" | "inactive",
    scopes: new Set([...(options.scopes ?? DEFAULT_SCOPES), ...moreScopes]),
    events: new Set([...DEFAULT_EVENTS, ...moreEvents]),
    agent,
    refusals: createRefusals(options.refuse),
    /** Event that a mention in a group direct message causes. */
    groupMentions: options.groupMentions ?? "both",
    eventsUrl: options.eventsUrl,
  }
}
