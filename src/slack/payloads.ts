import { z } from "zod"
import { filesOf } from "./message-files.ts"
import { forwardedWords } from "./message-words.ts"

/** The person and place of an action, and how they are answered privately. */
export interface Caller {
  /** The command, the event's type, or `action`, `form`, `shortcut`. */
  entry: string
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

/** A delivery on its way through Bolt, which carries it in `context.delivery`. */
export interface Delivery {
  /** Answers Slack, once; later calls change nothing. Bolt's own `ack` comes too early for events. */
  ack(response?: object): Promise<void>
  /** Bolt knows what kind it is, and a listener found in it what Slack's documents promise. */
  stage: "new" | "known" | "read"
}

/** The part of Bolt's arguments that is read. */
interface Received {
  body: unknown
  context: Readonly<Record<string, unknown>>
}

/** Signed by Slack, but not in the form that its documentation promises. */
export class MalformedPayload extends Error {
  override name = "MalformedPayload"
  /** The first field at fault. */
  readonly field: string

  constructor(field: string) {
    super(`Not as Slack's documents have it: ${field}`)
    this.field = field
  }
}

/**
 * Makes a reader of one kind of payload: fields that nobody reads are not demanded.
 * @throws MalformedPayload before anything was done
 */
export function reader<T>(shape: z.ZodType<T>): (received: Received) => T {
  return ({ body, context }) => {
    const parsed = shape.safeParse(body)
    if (!parsed.success) throw new MalformedPayload(parsed.error.issues[0]?.path.join(".") ?? "")
    deliveryOf(context).stage = "read"
    return parsed.data
  }
}

export function deliveryOf({ delivery }: Received["context"]): Delivery {
  return delivery as Delivery
}

/** With half a character in it an id cannot be sent back to Slack, in no encoding. */
export const id = z.string().regex(/^\P{Cs}+$/u)
export const text = z.string().optional()

export type Command = ReturnType<typeof readCommand>

export const readCommand = reader(
  z
    .object({
      command: z.string(),
      text: z.string().default(""),
      user_id: id,
      channel_id: id,
      channel_name: text,
      team_id: id,
      trigger_id: z.string(),
      response_url: text,
    })
    .transform((body) => ({
      kind: "command" as const,
      entry: body.command,
      text: body.text,
      user: body.user_id,
      channel: body.channel_id,
      channelName: body.channel_name,
      team: body.team_id,
      triggerId: body.trigger_id,
      replyUrl: body.response_url,
    })),
)

export type MessageEvent = ReturnType<typeof readMessage>

/** `app_mention`, and `message` in a direct conversation. */
export const readMessage = reader(
  z
    .object({
      event_id: text.catch(undefined),
      event: z.object({
        type: z.string(),
        subtype: text,
        user: id.optional(),
        bot_id: text,
        text: z.string().default(""),
        files: z.unknown().optional(),
        attachments: z.unknown().optional(),
        ts: z.string(),
        thread_ts: text,
        channel: id,
        channel_type: text,
      }),
    })
    .transform(({ event, event_id }) => ({
      entry: event.type,
      slack: event_id,
      subtype: event.subtype,
      user: event.user,
      bot: event.bot_id,
      text: event.text,
      files: filesOf(event),
      forwarded: forwardedWords(event.attachments),
      ts: event.ts,
      thread: event.thread_ts,
      channel: event.channel,
      channelType: event.channel_type,
      // Slack delivers nothing from a conversation between two people.
      isOwnDirect: event.channel_type === "im",
    })),
)

export const readHome = reader(
  z
    .object({
      event: z.object({
        type: z.string(),
        user: id,
        channel: id.optional(),
        tab: z.string().default("home"),
      }),
    })
    .transform(({ event }) => ({
      entry: event.type,
      user: event.user,
      /** The direct message with this person, which the tab `messages` shows. */
      direct: event.channel,
      tab: event.tab,
    })),
)

export type SessionStopped = ReturnType<typeof readStop>

/** Slack's Stop button on a session that is shown as processing. */
export const readStop = reader(
  z
    .object({
      event: z.object({
        type: z.string(),
        user: id,
        channel: id,
        thread_ts: z.string(),
        event_ts: z.string(),
      }),
    })
    .transform(({ event }) => ({
      entry: event.type,
      user: event.user,
      channel: event.channel,
      thread: event.thread_ts,
      at: event.event_ts,
    })),
)
