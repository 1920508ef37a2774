import type { JsonObject } from "../../kit/json.ts"

export interface Team {
  readonly id: string
  readonly name: string
  readonly domain: string
}

/** Role in the workspace; `external` is a member of another one, in a shared channel. */
export type Role = "member" | "admin" | "guest" | "external" | "bot"

export interface User {
  readonly id: string
  readonly teamId: string
  readonly name: string
  readonly realName: string
  readonly displayName: string
  readonly role: Role
  /** IANA time zone; Slackbot has none. */
  readonly tz: string | null
}

/**
 * Kind of conversation. `im`: two people, or a person and the bot. `mpim`: a group direct message,
 * with or without the bot.
 */
export type ChannelKind = "public" | "private" | "im" | "mpim"

export interface Channel {
  readonly id: string
  /** Name without `#`; empty for a direct message. */
  readonly name: string
  readonly kind: ChannelKind
  readonly members: Set<string>
  readonly topic: string
  /** Other workspaces that share the channel (Slack Connect). */
  readonly sharedWith: readonly string[]
  archived: boolean
}

/** One version of a message; an edit replaces the object. */
export interface Message {
  readonly channel: string
  readonly ts: string
  readonly user: string
  /** Id of the bot or other app that wrote the message. */
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
  /** Only person who sees it, if it is ephemeral. */
  readonly visibleTo: string | undefined
  /** Version number: 1 as posted, one more for each edit. */
  readonly revision: number
}

/** App other than the bot that posts messages. */
export interface OtherApp {
  readonly botId: string
  readonly appId: string
  readonly name: string
  readonly username: string | undefined
  /** Workspace that installed it; "" if Slack does not tell. */
  readonly teamId: string
}

/** Storage of a file. `tombstone`: deleted. `external`: hosted elsewhere, at an address. */
type FileMode = "hosted" | "external" | "snippet" | "tombstone"

export interface SlackFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly user: string
  content: Buffer
  readonly channels: readonly string[]
  /** Type according to Slack, which can be wrong. */
  readonly mimetype: string
  /** `slack_audio` of a voice clip, `slack_video` of a video clip. */
  readonly subtype: string | undefined
  /** Size in bytes according to Slack. */
  readonly size: number
  mode: FileMode
  /** True if it was uploaded in another workspace that shares the channel. */
  readonly isForeign: boolean
  readonly externalUrl: string | undefined
}

/** Open modal or Home tab, as Slack stores it. */
export interface View {
  readonly id: string
  readonly type: "modal" | "home"
  readonly user: string
  readonly hash: string
  /** Payload from the bot, with the block and action ids filled in. */
  readonly payload: JsonObject
}
