import { z } from "zod"
import { MalformedPayload } from "../slack/errors.ts"

/** A payload as one of the shapes below. @throws MalformedPayload, which Slack is told of as a 400. */
export function readPayload<S extends z.ZodType>(shape: S, body: unknown): z.output<S> {
  const parsed = shape.safeParse(body)
  if (parsed.success) return parsed.data
  throw new MalformedPayload(parsed.error.issues[0]?.path.join(".") ?? "")
}

/** Slack's payloads, as far as the bot reads them. Fields it does not read are not demanded. */

export const commandPayload = z.object({
  command: z.string(),
  text: z.string().default(""),
  user_id: z.string(),
  channel_id: z.string(),
  channel_name: z.string().optional(),
  team_id: z.string(),
  trigger_id: z.string(),
  response_url: z.string().optional(),
})
export type CommandPayload = z.infer<typeof commandPayload>

/** `app_mention`, and `message` in a direct conversation. */
export const messageEvent = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().default(""),
  ts: z.string(),
  thread_ts: z.string().optional(),
  channel: z.string(),
  channel_type: z.string().optional(),
  team: z.string().optional(),
  /** Of the envelope. */
  event_id: z.string().optional(),
})
export type MessageEvent = z.infer<typeof messageEvent>

export const homeEvent = z.object({ user: z.string(), tab: z.string().default("home") })

const person = z.object({ id: z.string(), team_id: z.string().optional() })

export const actionPayload = z.object({
  user: person,
  team: z.object({ id: z.string() }).nullish(),
  channel: z.object({ id: z.string() }).optional(),
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }).optional(),
  view: z.object({ id: z.string(), type: z.string() }).optional(),
  /** Slack sends one action at a time. */
  actions: z.tuple(
    [
      z.object({
        action_id: z.string(),
        action_ts: z.string().optional(),
        value: z.string().optional(),
        selected_option: z.object({ value: z.string() }).nullish(),
      }),
    ],
    z.unknown(),
  ),
})
export type ActionPayload = z.infer<typeof actionPayload>

export const shortcutPayload = z.object({
  user: person,
  team: z.object({ id: z.string() }).nullish(),
  channel: z.object({ id: z.string() }),
  trigger_id: z.string(),
  response_url: z.string().optional(),
  message_ts: z.string().optional(),
  message: z.object({
    ts: z.string(),
    thread_ts: z.string().optional(),
    text: z.string().default(""),
    user: z.string().optional(),
    bot_id: z.string().optional(),
  }),
})
export type ShortcutPayload = z.infer<typeof shortcutPayload>

export const viewPayload = z.object({
  user: person,
  team: z.object({ id: z.string() }).nullish(),
  view: z.object({
    id: z.string(),
    callback_id: z.string(),
    private_metadata: z.string().default(""),
    state: z.object({
      values: z.record(
        z.string(),
        z.record(
          z.string(),
          z.looseObject({
            value: z.string().nullish(),
            selected_conversation: z.string().nullish(),
            selected_option: z.object({ value: z.string() }).nullish(),
          }),
        ),
      ),
    }),
  }),
})
export type ViewPayload = z.infer<typeof viewPayload>
