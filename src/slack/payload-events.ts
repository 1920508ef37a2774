import { z } from "zod"
import { filesOf } from "./message-files.ts"
import { forwardedWords } from "./message-words.ts"
import { id, idOrObject, object, text } from "./payload-fields.ts"

/** `app_mention`, and `message` in a direct conversation. */
export type MessageEvent = z.output<typeof message>
export type HomeOpened = z.output<typeof home>
export type SessionStopped = z.output<typeof sessionStopped>

/** An event in its envelope. */
function event<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({
    type: z.literal("event_callback"),
    event_id: text.catch(undefined),
    authorizations: z.array(object).nullish(),
    event: anyEvent.extend(shape),
  })
}

const anyEvent = z.object({
  type: z.string(),
  user: idOrObject,
  channel: idOrObject,
  item: object.optional(),
  subteam: object.optional(),
})

export const message = event({
  type: z.enum(["app_mention", "message"]),
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
}).transform(({ event, event_id }) => ({
  kind: "message" as const,
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
}))

export const home = event({
  type: z.literal("app_home_opened"),
  user: id,
  channel: id.optional(),
  tab: z.string().default("home"),
}).transform(({ event, event_id }) => ({
  kind: "home" as const,
  entry: event.type,
  slack: event_id,
  user: event.user,
  /** The direct message with this person, which the tab `messages` shows. */
  direct: event.channel,
  tab: event.tab,
}))

/** Slack's Stop button on a session that is shown as processing. */
export const sessionStopped = event({
  type: z.literal("agent_session_stopped"),
  user: id,
  channel: id,
  thread_ts: z.string(),
  event_ts: z.string(),
}).transform(({ event, event_id }) => ({
  kind: "stop" as const,
  entry: event.type,
  slack: event_id,
  user: event.user,
  channel: event.channel,
  thread: event.thread_ts,
  at: event.event_ts,
}))

export const otherEvent = event({}).transform(({ event, event_id }) => ({
  kind: "other" as const,
  entry: event.type,
  slack: event_id,
  user: typeof event.user === "string" ? event.user : undefined,
}))
