import { z } from "zod"
import {
  type HomeOpened,
  home,
  type MessageEvent,
  message,
  otherEvent,
  type SessionStopped,
  sessionStopped,
} from "./payload-events.ts"
import { type Delivery, id, text } from "./payload-fields.ts"
import {
  type Click,
  click,
  form,
  otherInteraction,
  type SentForm,
  type Shortcut,
  shortcut,
} from "./payload-interactions.ts"

export type Command = z.output<typeof command>

const command = z
  .object({
    type: text,
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
    slack: body.trigger_id,
    text: body.text,
    user: body.user_id,
    channel: body.channel_id,
    channelName: body.channel_name,
    team: body.team_id,
    triggerId: body.trigger_id,
    replyUrl: body.response_url,
  }))

/**
 * Slack's notice that it leaves out events of this minute (Events API, "Rate limiting"); Bolt knows
 * none.
 */
const rateNotice = z
  .object({ type: z.literal("app_rate_limited") })
  .transform((): Delivery & { kind: "rate_notice" } => ({ kind: "rate_notice", entry: "unknown" }))

/** Signed by Slack, but not in the form that its documentation promises. */
interface Malformed extends Delivery {
  kind: "malformed"
  /** The first field at fault; absent where it is nothing of Slack's at all. */
  field?: string
}

/** What Bolt is given, and what may be listened to. */
export type Heard =
  | Command
  | MessageEvent
  | HomeOpened
  | SessionStopped
  | Click
  | Shortcut
  | SentForm
  | z.output<typeof otherEvent | typeof otherInteraction>

export type Payload = Heard | z.output<typeof rateNotice> | Malformed

/** What Slack sends, and how it is read. */
type Shape = z.ZodPipe<z.ZodType, z.ZodType<Payload>>

const EVENTS: Record<string, Shape> = {
  app_mention: message,
  message,
  app_home_opened: home,
  agent_session_stopped: sessionStopped,
}

interface Known {
  entry: string
  shape: Shape
}

const BY_TYPE: Record<string, Known> = {
  block_actions: { entry: "action", shape: click },
  view_submission: { entry: "form", shape: form },
  view_closed: { entry: "form", shape: otherInteraction },
  message_action: { entry: "shortcut", shape: shortcut },
  shortcut: { entry: "shortcut", shape: otherInteraction },
  app_rate_limited: { entry: "unknown", shape: rateNotice },
}

/** One delivery, read once; never throws, however odd it is. */
export function parsePayload(body: unknown): Payload {
  const found = isRecord(body) ? shapeOf(body) : undefined
  if (!found) return { kind: "malformed", entry: "unknown" }
  const parsed = found.shape.safeParse(body)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join(".") ?? ""
  return { kind: "malformed", entry: found.entry, field }
}

/**
 * The same delivery with nothing but the fields that the bot reads, to be kept: `parsePayload` reads it
 * as it reads the whole. Slack's verification token and all else stay out; files and attachments of a
 * message are kept as they came.
 */
export function fieldsRead(body: unknown): Readonly<Record<string, unknown>> {
  const shape = isRecord(body) ? shapeOf(body)?.shape : undefined
  const fields = shape?.in.parse(body)
  return isRecord(fields) ? fields : {}
}

/** Bolt tells the kinds apart by these fields, in this order. */
function shapeOf(body: Readonly<Record<string, unknown>>): Known | undefined {
  if (body.event !== undefined) {
    const type = isRecord(body.event) ? named(body.event.type) : "unknown"
    return { entry: type, shape: own(EVENTS, type) ?? otherEvent }
  }
  if (body.command !== undefined) return { entry: named(body.command), shape: command }
  if (body.name !== undefined) return undefined
  const type = body.actions === undefined ? body.type : "block_actions"
  return own(BY_TYPE, named(type))
}

function named(value: unknown): string {
  return typeof value === "string" ? value : "unknown"
}

/** Names come from outside: `constructor` is none of ours. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
}

/** What the log says of a delivery; no words of people, no secrets. */
export function summaryOf(payload: Payload): PayloadSummary {
  const { entry, slack } = payload
  return {
    entry,
    ...(slack === undefined ? {} : { slack }),
    ...("user" in payload && payload.user !== undefined ? { user: payload.user } : {}),
    ...("action" in payload ? { action: payload.action } : {}),
    ...(payload.kind === "message" ? { message: `${payload.channel}:${payload.ts}` } : {}),
  }
}

export interface PayloadSummary extends Delivery {
  user?: string
  action?: string
  /** `channel:ts` of the message that an event is about. */
  message?: string
}
