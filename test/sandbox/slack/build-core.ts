import { setMaxListeners } from "node:events"
import { FaultBoard } from "../kit/fault-board.ts"
import { AGENT_EVENTS, AGENT_SCOPES } from "./agent-surface.ts"
import type { Core, Settings } from "./core.ts"
import { createHttpTransport } from "./delivery/http-transport.ts"
import { createResponseUrls } from "./delivery/response-urls.ts"
import { createRetries } from "./delivery/retries.ts"
import { SocketHub } from "./delivery/socket-hub.ts"
import { createTriggers } from "./delivery/triggers.ts"
import { DEFAULT_EVENTS, DEFAULT_SCOPES, type LocalSlackOptions } from "./options.ts"
import { people } from "./seed/people.ts"
import { isMeantFor } from "./web-api/faults.ts"
import { createRateLimits } from "./web-api/rate-limits.ts"
import { createRefusals } from "./web-api/refusals.ts"
import { createUploads } from "./web-api/uploads.ts"
import { createWorkspace } from "./workspace/workspace.ts"

/** Builds all parts of a local Slack; `settings.url` is set once it listens. */
export function buildCore(options: LocalSlackOptions): Core {
  const now = options.now ?? Date.now
  const workspace = createWorkspace(people(), now)
  const settings = initialSettings(options)
  const root = () => settings.url
  const timeoutMs = options.ackTimeoutMs ?? 3_000
  const closing = new AbortController()
  // One listener per request in progress.
  setMaxListeners(0, closing.signal)
  const { signingSecret } = options
  const { signal } = closing
  const http = { signingSecret, eventsUrl: () => settings.eventsUrl, timeoutMs, signal }
  const { appId } = workspace.bot
  const onChange = () => workspace.changes.emit({ type: "changed" })
  const sockets = new SocketHub({ appId, timeoutMs, root, onChange })
  return {
    workspace,
    settings,
    violations: [],
    calls: [],
    faults: new FaultBoard(isMeantFor, () => {}),
    rateLimits: createRateLimits(options.rateLimits === "slack", now),
    triggers: createTriggers(now),
    responseUrls: createResponseUrls(root, now),
    uploads: createUploads(),
    deliveries: [],
    keep: options.keep ?? 10_000,
    retries: createRetries(options.eventRetryDelaysMs ?? []),
    sockets,
    transport: options.mode === "socket" ? sockets : createHttpTransport(http),
    http,
    closing,
  }
}

function initialSettings(options: LocalSlackOptions): Settings {
  const agent = options.agent ?? "undeclared"
  const [moreScopes, moreEvents] = agent === "declared" ? [AGENT_SCOPES, AGENT_EVENTS] : [[], []]
  return {
    botToken: options.botToken,
    appToken: options.appToken,
    tokenState: "active",
    scopes: new Set([...(options.scopes ?? DEFAULT_SCOPES), ...moreScopes]),
    events: new Set([...DEFAULT_EVENTS, ...moreEvents]),
    agent,
    manifestPrompts: options.suggestedPrompts,
    refusals: createRefusals(options.refuse),
    groupMentions: options.groupMentions ?? "both",
    escapeCommands: options.escapeCommands ?? false,
    eventsUrl: options.eventsUrl,
    url: "",
  }
}
