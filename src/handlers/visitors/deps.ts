import type { Outbound } from "../../slack/outbound.ts"
import type { AskVisitors } from "../../visitors/ask.ts"
import type { ExportsDeps } from "../../visitors/exports.ts"
import type { Rungs, ShownReports, Subscriptions } from "../../visitors/ports.ts"

/** What the Slack entries of the visitors feature work with. */
export interface VisitorsDeps {
  outbound: Outbound
  ask: AskVisitors
  shown: ShownReports
  rungs: Rungs
  subscriptions: Subscriptions
  exports: ExportsDeps
  now: () => number
}

/** Where somebody is, and where they are answered. */
export interface Asker {
  user: string
  team: string
  channel: string
  responseUrl: string
}
