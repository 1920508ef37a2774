import type { ControlSnapshot } from "../docs-service/control.ts"
import type { JsonObject } from "../kit/json.ts"
import type { AgentSurface, SuggestedPrompt } from "../slack/agent-surface.ts"
import type { ChannelKind, Role } from "../slack/workspace/model.ts"
import type { SessionStatus } from "../slack/workspace/sessions.ts"

/** What the page knows, as plain JSON: the types that both ends of the API share. */
export interface WireUser {
  readonly id: string
  readonly name: string
  readonly realName: string
  readonly role: Role
  readonly tz: string
}

export interface WireChannel {
  readonly id: string
  /** Without `#`; empty for a direct message. */
  readonly name: string
  readonly kind: ChannelKind
  readonly members: readonly string[]
  readonly topic: string
  /** Shared with another workspace (Slack Connect). */
  readonly shared: boolean
  readonly archived: boolean
}

export interface WireFile {
  readonly id: string
  readonly name: string
  readonly title: string
  /** Bytes. */
  readonly size: number
  /** A path on this server. */
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
  /** The only person who sees it. */
  readonly visibleTo?: string
  /** 1 for a message as posted, one more for each edit. */
  readonly revision: number
}

export interface WireView {
  readonly id: string
  readonly type: "modal" | "home"
  readonly hash: string
  /** What the bot sent, with the block and action ids filled in. */
  readonly payload: JsonObject
}

/** What Slack shows of a thread that is an agent session. */
export interface WireSession {
  readonly status: SessionStatus
  readonly title?: string
}

/** Slack's place for agents, as far as this app is in it. */
export interface WireAgent {
  readonly surface: AgentSurface
  /** Whether a session at work has a Stop button. */
  readonly stoppable: boolean
  /** What stands at the top of the Messages tab, by person. */
  readonly prompts: { readonly [user: string]: readonly SuggestedPrompt[] }
}

export interface WireCommand {
  /** With its slash. */
  readonly name: string
  readonly description: string
  readonly usage: string
  /** Carried out by Slack itself rather than by the bot. */
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
  /** In words for people. */
  readonly store: string
}

/** Everything there is to see, for everybody; the page shows one person's part of it. */
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
  /** How far time was moved on from this machine's, ms. */
  readonly aheadMs: number
}

/** What a page is told: the whole state when it comes, then each thing that changed. */
export type Update =
  | { readonly type: "state"; readonly state: WorkspaceState }
  | { readonly type: "message"; readonly message: WireMessage }
  /** Without a channel where only one person saw it; no two messages share a `ts`. */
  | { readonly type: "message_gone"; readonly channel?: string; readonly ts: string }
  | { readonly type: "channel"; readonly channel: WireChannel }
  | { readonly type: "home"; readonly user: string; readonly view?: WireView }
  | { readonly type: "modal"; readonly user: string; readonly view?: WireView }
  | { readonly type: "session"; readonly thread: string; readonly session: WireSession }
  | { readonly type: "agent"; readonly agent: WireAgent }
  | { readonly type: "service"; readonly service: ControlSnapshot }
  | { readonly type: "time"; readonly aheadMs: number }
