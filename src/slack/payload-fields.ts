import { z } from "zod"

/**
 * What Slack delivers, as far as the bot reads it: fields that nobody reads are not demanded.
 * Fields that Bolt reads without checking are demanded: Bolt would throw, and Slack would send
 * again a payload that can never be understood.
 */

/** Of every delivery: what the log calls it. */
export interface Delivery {
  /** The command, the event's type, or `action`, `form`, `shortcut`. */
  entry: string
  /** trigger_id of a command or click, event_id of an event: what Slack calls this delivery. */
  slack?: string | undefined
}

/** Who did something, where, and how they are answered privately. */
export interface Caller extends Delivery {
  user: string
  team?: string | undefined
  channel?: string | undefined
  /** The thread it belongs to; absent for a message that only has replies of its own. */
  thread?: string | undefined
  /** Is the channel the bot's own direct message with this person, as far as Slack says so? */
  isOwnDirect?: boolean | undefined
  triggerId?: string | undefined
  /** Slack's response_url. */
  replyUrl?: string | undefined
}

/** With half a character in it an id cannot be sent back to Slack, in no encoding. */
export const id = z.string().regex(/^\P{Cs}*$/u)
export const object = z.object({})
const withId = z.object({ id })
export const idOrObject = z.union([id, withId]).optional()
export const text = z.string().optional()
