import type { ControlSnapshot } from "../docs-service/control.ts"
import type { JsonObject } from "../kit/json.ts"
import type { AgentSurface, SuggestedPrompt } from "../slack/agent-surface.ts"
import type { ChannelKind, Role } from "../slack/workspace/model.ts"
import type { SessionStatus } from "../slack/workspace/sessions.ts"

/** Types that both ends of the API share, as plain JSON. */
export interface WireUser {
  readonly id: string
  readonly name: string
  readonly realName: string
  readonly role: Role
  readonly tz: string
}

export interface WireChannel {
  readonly id: string
  /** Name without `#`; empty for a direct message. */
  readonly name: string
  readonly kind: ChannelKind
  readonly members: readonly string[]
  readonly topic: string
  /** True if shared with another workspace (Slack Connect). */
  readonly shared: boolean
  readonly archived: boolean
}

export interface WireFile {
  readonly id: string
  readonly name: string
  readonly title: string
  /** Size in bytes. */
  readonly size: number
  /** Path on this server. */
  readonly url: string
}

export interface WireMessage {
  readonly channel: string
  readonly ts: string
  readonly user: string
  readonly isBot: boolean
  readonly isDeleted: boolean
  readonly text: string
  readonly blocks: readonly JsonObject[]
  readonly threadTs?: string
  readonly files: readonly WireFile[]
  readonly edited: boolean
  /** Only person who sees it. */
  readonly visibleTo?: string
  /** Version number: 1 as posted, one more for each edit. */
  readonly revision: number
}

export interface WireView {
  readonly id: string
  readonly type: "modal" | "home"
  readonly hash: string
  /** Payload from the bot, with the block and action ids filled in. */
  readonly payload: JsonObject
}

/** State of an agent session that Slack shows in its thread. */
export interface WireSession {
  readonly status: SessionStatus
  readonly title?: string
}

/** State of Slack's agent features for this app. */
export interface WireAgent {
  readonly surface: AgentSurface
  /** True if a running session has a Stop button. */
  readonly stoppable: boolean
  /** Prompts at the top of the Messages tab, by person. */
  readonly prompts: { readonly [user: string]: readonly SuggestedPrompt[] }
}

export interface WireCommand {
  /** Name with its slash. */
  readonly name: string
  readonly description: string
  readonly usage: string
  /** True if Slack itself runs it, not the bot. */
  readonly builtIn: boolean
}

interface WireShortcut {
  readonly name: string
  readonly callbackId: string
  readonly description: string
}

export interface Catalog {
  readonly commands: readonly WireCommand[]
  readonly messageShortcuts: readonly WireShortcut[]
}

export interface BotFacts {
  readonly user: string
  readonly mode: "http" | "socket"
  /** Description for people. */
  readonly store: string
}

/** Complete state, for everyone; the page shows one person's part of it. */
export interface WorkspaceState {
  readonly bot: BotFacts
  readonly users: readonly WireUser[]
  readonly channels: readonly WireChannel[]
  readonly messages: readonly WireMessage[]
  readonly homes: { readonly [user: string]: WireView }
  readonly modals: { readonly [user: string]: WireView }
  /** Agent sessions by `channel:thread_ts`. */
  readonly sessions: { readonly [thread: string]: WireSession }
  readonly agent: WireAgent
  readonly catalog: Catalog
  readonly service: ControlSnapshot
  /** Offset in ms from this machine's clock. */
  readonly aheadMs: number
}

/** Update for a page: the complete state first, then each change. */
export type Update =
  | { readonly type: "state"; readonly state: WorkspaceState }
  | { readonly type: "message"; readonly message: WireMessage }
  /** Removed message; without a channel if only one person saw it, as every `ts` is unique. */
  | { readonly type: "message_gone"; readonly channel?: string; readonly ts: string }
  | { readonly type: "channel"; readonly channel: WireChannel }
  | { readonly type: "home"; readonly user: string; readonly view?: WireView }
  | { readonly type: "modal"; readonly user: string; readonly view?: WireView }
  | { readonly type: "session"; readonly thread: string; readonly session: WireSession }
  | { readonly type: "agent"; readonly agent: WireAgent }
  | { readonly type: "service"; readonly service: ControlSnapshot }
  | { readonly type: "time"; readonly aheadMs: number }
