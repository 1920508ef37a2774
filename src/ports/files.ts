/** A file that somebody attached, as far as Slack tells about it. */
export interface FileFacts {
  id: string
  name?: string
  /** A MIME type, which need not be true. */
  type?: string
  /** Bytes, which need not be true either. */
  size?: number
  /** Nothing of it is left, or the workspace's plan hides it. */
  state?: "deleted" | "hidden"
}

/** Why the words of a file are not in the prompt. */
export type UnreadReason =
  | "deleted"
  /** Past what the workspace's plan shows. */
  | "hidden"
  /** It is stored outside Slack, which only knows its address. */
  | "external"
  | "not_text"
  | "too_large"
  | "empty"
  /** The token lacks `files:read`. */
  | "no_permission"
  /** Slack does not show it to the bot. */
  | "not_shared"
  /** It could not be read in time, or not at all. */
  | "unavailable"
  /** Other files used up the space in the prompt. */
  | "no_room"

/** What became of a file: its words, or why there are none; with what Slack tells about it by then. */
export type FileRead = { file: FileFacts; text: string } | { file: FileFacts; unread: UnreadReason }

/**
 * Reads a text file.
 * @param signal ends the reading: what is not there by then is `unavailable`
 * @throws SlackError `later` when Slack wants to be asked again
 */
export type ReadFile = (file: FileFacts, signal: AbortSignal) => Promise<FileRead>
