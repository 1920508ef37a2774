import type { IsOwnDirect, Outbound } from "../../ports/outbound.ts"
import type { Clock } from "../../runtime/clock.ts"
import type { VisitorAction } from "../../views/visitors/action-ids.ts"
import type { AlertStore, LinkedReports } from "../../visitors/alerts/ports.ts"
import type { Subscriptions } from "../../visitors/digests/ports.ts"
import type { ExportsDeps } from "../../visitors/exports.ts"
import type { ShownGapsStore } from "../../visitors/gaps/ports.ts"
import type { AskGaps } from "../../visitors/gaps/query.ts"
import type { FallbackMemory, ShownReport, ShownReports } from "../../visitors/ports.ts"
import type { AskVisitors } from "../../visitors/query.ts"

/** What the Slack entries of the visitors feature work with. */
export interface VisitorsDeps {
  outbound: Outbound
  isOwnDirect: IsOwnDirect
  ask: AskVisitors
  shown: ShownReports
  fallbackMemory: FallbackMemory
  subscriptions: Subscriptions
  exports: ExportsDeps
  askGaps: AskGaps
  shownGaps: ShownGapsStore
  alerts: AlertStore
  linked: LinkedReports
  now: Clock
}

/** What it takes to show what readers did not find. */
export type GapsDeps = Pick<
  VisitorsDeps,
  "outbound" | "isOwnDirect" | "askGaps" | "shownGaps" | "shown"
>

/** Where somebody is, and where they are answered. */
export interface Asker {
  user: string
  team: string
  channel: string
  replyUrl: string | undefined
}

/** A control that was used. */
export interface Used extends Asker {
  action: VisitorAction
  /** The value of the button, or of the option that was picked. */
  value: string
}

/** A control with the report it belongs to. */
export interface UsedOn extends Used {
  id: string
  picked: string
  report: ShownReport
}
