import { z } from "zod"
import { toPlainText } from "../lib/plain-text.ts"
import { filesOf, forwardsOf, messageShape, pastedIn, SLACKBOT } from "./read-message.ts"

export interface Caller {
  entry: string
  user: string
  channel?: string | undefined
  /** Timestamp of the thread's first message; absent outside threads. */
  thread?: string | undefined
  /** Timestamp of the message that the person sent; absent for commands and clicks. */
  ts?: string | undefined
  /** True if the payload proves that the channel is the bot's own direct message. */
  isOwnDirect?: boolean | undefined
  triggerId?: string | undefined
  /** Text after a command, as the person typed it. */
  typed?: string | undefined
  replyUrl?: string | undefined
}

/** Id or message's `ts`, without lone surrogates, which UTF-8 cannot encode. */
const id = z.string().regex(/^\P{Cs}+$/u)
const text = z.string().optional()

const event = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({
    event_id: text.catch(undefined),
    event_time: z.number().optional().catch(undefined),
    event: z.object({ ...shape, type: z.string() }),
  })

export type Command = z.output<typeof command>

export const command = z
  .object({
    command: z.string(),
    text: z.string().default(""),
    user_id: id,
    channel_id: id,
    trigger_id: z.string(),
    response_url: text,
  })
  .transform((body) => ({
    entry: body.command,
    typed: toPlainText(body.text),
    user: body.user_id,
    channel: body.channel_id,
    triggerId: body.trigger_id,
    replyUrl: body.response_url,
  }))

export type MessageEvent = z.output<typeof messageEvent>

/** Event about an edited message; Slack also sends it for a link's preview, without new words. */
const changed = z.looseObject({
  event: z.object({
    type: z.string(),
    subtype: z.literal("message_changed"),
    channel: z.string(),
    channel_type: text,
    message: z.looseObject({ text, edited: z.object({ ts: z.string() }) }),
    previous_message: z.looseObject({ text }),
  }),
})

/** Turns the event about an edit into the edited message, as Slack itself does for mentions. */
function withEdit(body: unknown): unknown {
  const { data } = changed.safeParse(body)
  if (!data || data.event.message.text === data.event.previous_message.text) return body
  const { message: said, type, channel, channel_type } = data.event
  return { ...data, event: { ...said, type, channel, channel_type } }
}

/**
 * Returns how long ago a message was posted when Slack told of it or of its edit. Compares Slack's
 * own times alone, because the clocks of Redis and of this machine may be off.
 */
function ageMs({ ts, edited }: { ts: string; edited?: { ts: string } | undefined }, toldAt = 0) {
  return (Math.max(toldAt, Number(edited?.ts ?? ts)) - Number(ts)) * 1000
}

const said = event({
  subtype: text,
  user: id.optional(),
  bot_id: text,
  text: z.string().default(""),
  files: z.unknown().optional(),
  attachments: z.unknown().optional(),
  edited: z.object({ ts: id }).optional().catch(undefined),
  ts: id,
  thread_ts: id.optional(),
  channel: id,
  channel_type: text,
}).transform(
  ({
    event: { type, bot_id, thread_ts, channel_type, attachments, ...said },
    event_id,
    event_time,
  }) => ({
    ...said,
    entry: type,
    slack: event_id,
    bot: said.user === SLACKBOT ? SLACKBOT : bot_id,
    /** Time of the last edit as Slack writes it; absent if nobody edited the message. */
    edited: said.edited?.ts,
    ageMs: ageMs(said, event_time),
    files: filesOf({ files: said.files, attachments }, said.user),
    forwards: forwardsOf(attachments),
    pasted: pastedIn({ text: said.text, attachments }),
    thread: thread_ts,
    channelType: channel_type,
    // Slack sends no events from a direct message between two people, so any `im` is the bot's own.
    isOwnDirect: channel_type === "im",
  }),
)

/** Reads `app_mention`, and `message` in a direct conversation, posted or edited. */
export const messageEvent = z.preprocess(withEdit, said)

export type HomeOpened = z.output<typeof home>

export const home = event({ user: id, tab: z.string().default("home") }).transform(
  ({ event: { type: entry, user, tab }, event_id: slack }) => ({ entry, slack, user, tab }),
)

export type SessionStopped = z.output<typeof stop>

/** Reads a click on Slack's Stop button, which a processing session has. */
export const stop = event({ user: id, channel: id, thread_ts: id, event_ts: id }).transform(
  ({ event: { type: entry, user, channel, thread_ts: thread, event_ts: at }, event_id: slack }) => {
    return { entry, slack, user, channel, thread, at }
  },
)

const interaction = z.object({
  user: z.object({ id }),
  channel: z.object({ id }).optional(),
  trigger_id: text,
  response_url: text,
})

function callerOf(body: z.output<typeof interaction>) {
  return {
    user: body.user.id,
    channel: body.channel?.id,
    triggerId: body.trigger_id,
    replyUrl: body.response_url,
  }
}

/** Returns the thread's `ts`, or undefined for its first message, whose `thread_ts` is its own. */
function rootOf(ts: string | undefined, thread: string | undefined): string | undefined {
  return thread === ts ? undefined : thread
}

export type Click = z.output<typeof click>

const action = z.object({
  action_id: z.string(),
  value: text,
  selected_option: z.object({ value: z.string() }).optional(),
})

export const click = interaction
  .extend({
    message: z.object({ ts: z.string(), thread_ts: text }).optional(),
    // For an ephemeral message, Slack sends only `container`.
    container: z.object({ message_ts: text, thread_ts: text }).optional(),
    // Slack sends one action at a time.
    actions: z.tuple([action], z.unknown()),
  })
  .transform(
    ({ message, container, actions: [{ action_id, value, selected_option }], ...body }) => ({
      ...callerOf(body),
      entry: "action",
      action: action_id,
      value: selected_option?.value ?? value ?? "",
      thread:
        rootOf(container?.message_ts, container?.thread_ts) ??
        rootOf(message?.ts, message?.thread_ts),
      // Only the bot's messages have its buttons, and it posts only in its own direct messages.
      ...(message && body.channel?.id.startsWith("D") ? { isOwnDirect: true } : {}),
    }),
  )

export type Shortcut = z.output<typeof shortcut>

/** Reads the shortcut in a message's menu, or the global one, which comes from no conversation. */
export const shortcut = interaction
  .extend({ trigger_id: z.string(), message: messageShape.optional() })
  .transform(({ message, ...body }) => ({
    ...callerOf(body),
    entry: "shortcut",
    thread: rootOf(message?.ts, message?.thread_ts),
    message,
  }))

const input = z.looseObject({
  value: text,
  selected_conversation: text,
  selected_option: z.object({ value: z.string() }).optional(),
})

export type SentForm = z.output<typeof form>

export const form = interaction
  .extend({
    view: z.object({
      id: z.string(),
      private_metadata: z.string().default(""),
      state: z.object({ values: z.record(z.string(), z.record(z.string(), input)) }),
    }),
  })
  .transform(({ view, ...body }) => ({
    ...callerOf(body),
    entry: "form",
    view: view.id,
    draft: view.private_metadata,
    inputs: view.state.values,
  }))
