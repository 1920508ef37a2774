import type { JsonObject } from "../json.ts"

export interface Team {
  readonly id: string
  readonly name: string
  readonly domain: string
}

/** `external` is someone of another workspace, met in a shared channel. */
export type Role = "member" | "admin" | "guest" | "external" | "bot"

export interface User {
  readonly id: string
  readonly teamId: string
  /** The handle, without `@`. */
  readonly name: string
  readonly realName: string
  readonly displayName: string
  readonly role: Role
  /** IANA name; `tz_offset` follows from it and the current time. */
  readonly tz: string
}

export type ChannelKind = "public" | "private" | "im"

export interface Channel {
  readonly id: string
  /** Without `#`; empty for a direct message. */
  readonly name: string
  readonly kind: ChannelKind
  readonly members: Set<string>
  readonly topic: string
  /** Other workspaces that share the channel (Slack Connect). */
  readonly sharedWith: readonly string[]
  archived: boolean
}

/** One version of a message; an edit puts a new object in its place. */
export interface Message {
  readonly channel: string
  readonly ts: string
  readonly user: string
  /** Set on what the bot wrote. */
  readonly botId: string | undefined
  readonly subtype: string | undefined
  readonly text: string
  readonly blocks: readonly JsonObject[]
  readonly threadTs: string | undefined
  readonly metadata: JsonObject | undefined
  readonly files: readonly SlackFile[]
  readonly edited: { readonly user: string; readonly ts: string } | undefined
  /** The only person who sees it, for an ephemeral message. */
  readonly visibleTo: string | undefined
  /** 1 for a message as posted, one more for each edit. */
  readonly revision: number
}

export interface SlackFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly user: string
  readonly content: Buffer
  readonly channels: readonly string[]
}

/** An open modal or a Home tab, as Slack keeps it. */
export interface View {
  readonly id: string
  readonly type: "modal" | "home"
  readonly user: string
  readonly hash: string
  readonly rootId: string
  readonly previousId: string | undefined
  /** What the bot sent, with the block and action ids filled in. */
  readonly payload: JsonObject
}
