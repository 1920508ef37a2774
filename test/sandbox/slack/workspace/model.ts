import type { JsonObject } from "../../kit/json.ts"

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
  readonly name: string
  readonly realName: string
  readonly displayName: string
  readonly role: Role
  /** IANA name; `tz_offset` follows from it and the current time. */
  readonly tz: string
}

/**
 * `im`: two people, or a person and the bot. `mpim`: a group direct message. Whether the bot is in it,
 * its members tell.
 */
export type ChannelKind = "public" | "private" | "im" | "mpim"

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
  /** Set on what the bot or another app wrote. */
  readonly botId: string | undefined
  readonly app: OtherApp | undefined
  readonly subtype: string | undefined
  readonly text: string
  readonly blocks: readonly JsonObject[]
  readonly attachments: readonly JsonObject[]
  readonly threadTs: string | undefined
  readonly metadata: JsonObject | undefined
  readonly files: readonly SlackFile[]
  readonly edited: { readonly user: string; readonly ts: string } | undefined
  /** The only person who sees it, for an ephemeral message. */
  readonly visibleTo: string | undefined
  /** 1 for a message as posted, one more for each edit. */
  readonly revision: number
}

/** An app that posts beside the bot. */
export interface OtherApp {
  readonly botId: string
  readonly appId: string
  readonly name: string
}

/** `tombstone`: deleted. `external`: hosted elsewhere, Slack has its address only. */
export type FileMode = "hosted" | "external" | "tombstone"

export interface SlackFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly user: string
  content: Buffer
  readonly channels: readonly string[]
  /** What Slack says that it is, which need not be true. */
  readonly mimetype: string
  /** Bytes, as Slack tells them. */
  readonly size: number
  mode: FileMode
  /** Uploaded in another workspace that shares the channel. */
  readonly isForeign: boolean
  readonly externalUrl: string | undefined
}

/** An open modal or a Home tab, as Slack keeps it. */
export interface View {
  readonly id: string
  readonly type: "modal" | "home"
  readonly user: string
  readonly hash: string
  /** What the bot sent, with the block and action ids filled in. */
  readonly payload: JsonObject
}
