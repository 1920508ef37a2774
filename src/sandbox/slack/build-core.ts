import type { Core, Settings } from "./core.ts"
import { createDeliveryLog } from "./delivery/delivery-log.ts"
import { createHttpTransport } from "./delivery/http-transport.ts"
import { createResponseUrls } from "./delivery/response-urls.ts"
import { createTriggers } from "./delivery/triggers.ts"
import { DEFAULT_EVENTS, DEFAULT_SCOPES, type LocalSlackOptions, refusedBlocks } from "./options.ts"
import { people } from "./seed/people.ts"
import { createViolations } from "./violations.ts"
import { createCallLog } from "./web-api/call-log.ts"
import { createFaults } from "./web-api/faults.ts"
import { createRateLimits } from "./web-api/rate-limits.ts"
import { createUploads } from "./web-api/uploads.ts"
import { createWorkspace } from "./workspace/workspace.ts"

/** Everything a local Slack consists of, before it listens; `settings.url` is filled in then. */
export function buildCore(options: LocalSlackOptions): Core {
  const now = options.now ?? Date.now
  const keep = options.keep ?? 10_000
  const workspace = createWorkspace(people(), now)
  const settings: Settings = {
    botToken: options.botToken,
    appToken: options.appToken,
    tokenState: "active",
    scopes: new Set(options.scopes ?? DEFAULT_SCOPES),
    events: new Set(options.events ?? DEFAULT_EVENTS),
    refusedBlocks: refusedBlocks(options.refuse),
    eventsUrl: options.eventsUrl,
    url: "",
  }
  return {
    workspace,
    settings,
    violations: createViolations(workspace.changes),
    calls: createCallLog(keep),
    faults: createFaults(),
    rateLimits: createRateLimits(options.rateLimits === "slack", now),
    triggers: createTriggers(now),
    responseUrls: createResponseUrls(() => settings.url, now),
    uploads: createUploads(),
    deliveries: createDeliveryLog(keep, now, workspace.changes),
    transport: createHttpTransport({
      signingSecret: options.signingSecret,
      eventsUrl: () => settings.eventsUrl,
      timeoutMs: options.ackTimeoutMs ?? 3_000,
    }),
  }
}
