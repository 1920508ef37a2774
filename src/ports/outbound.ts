import type { Readable } from "node:stream"
import type { Home, Message, Modal } from "./message.ts"

/**
 * The one way to write to Slack. Every method throws only `SlackError`.
 * None retries by itself: whether a write may be repeated is the caller's knowledge.
 */
export interface Outbound {
  /** `key` goes into the message's metadata, so that an unsure post can be looked up. */
  post(to: Conversation, message: Message, key?: PostKey): Promise<{ ts: string }>
  /** Idempotent: an edit may be repeated freely. */
  update(card: { channel: string; ts: string }, message: Message): Promise<void>
  /** Seen by one person only; lost if that person is not in the channel. */
  postEphemeral(to: Conversation & { user: string }, message: Message): Promise<void>
  /** Answers through a response_url: works where the bot is not a member; 5 uses, 30 minutes. */
  respond(responseUrl: string, message: Message, options?: RespondOptions): Promise<void>
  /** Takes away the message that was clicked, by the click's response_url. */
  dismiss(responseUrl: string): Promise<void>
  direct(user: string, message: Message): Promise<{ channel: string; ts: string }>
  openModal(triggerId: string, view: Modal): Promise<void>
  publishHome(user: string, view: Home): Promise<void>
  /**
   * What Slack shows of a thread in its place for agents. Idempotent; the session is created where there is
   * none.
   */
  setSession(
    to: Required<Conversation>,
    status: "processing" | "active",
    details: SessionDetails,
  ): Promise<void>
  /** What a person is offered to ask for where they write to the agent. */
  suggestPrompts(channel: string, prompts: readonly SuggestedPrompt[]): Promise<void>
  /** Streams a file of known length into Slack; memory stays bounded. Needs `files:write`. */
  upload(to: Conversation, file: { name: string; bytes: number; content: Readable }): Promise<void>
  /**
   * Looks for a message of ours by its key. `unreadable` when the bot may not read there.
   */
  find(to: Conversation, key: PostKey): Promise<{ ts: string } | "absent" | "unreadable">
}

interface RespondOptions {
  /** Puts it in place of the message that was clicked. */
  replace?: boolean | undefined
  /** Without it the answer stands in the channel, also to a click inside a thread. */
  thread?: string | undefined
}

/** Of a session that is created; Slack ignores them for one that is there. */
interface SessionDetails {
  /** At most 200 characters. */
  title?: string
  /** Who asked. */
  initiator?: string
}

/** A request that is sent as it stands when its title is chosen. */
export interface SuggestedPrompt {
  title: string
  message: string
}

/**
 * Is this direct message the bot's own with one person, as opposed to one between two people? Undefined
 * where Slack does not say.
 */
export type IsOwnDirect = (channel: string) => Promise<boolean | undefined>

export interface Conversation {
  channel: string
  thread?: string | undefined
}

/** Identifies one message of one job: its card, or its closing reply number n. */
export interface PostKey {
  job: string
  part: string
}
