import { z } from "zod"
import { filesOf } from "./message-files.ts"
import { messageWords } from "./message-words.ts"
import { id, reader, text } from "./payloads.ts"

const conversation = z.object({ id, name: text })

const interaction = {
  user: z.object({ id, team_id: text }),
  team: z.object({ id: z.string() }).optional(),
  channel: conversation.optional(),
  trigger_id: text,
  response_url: text,
}

function callerOf(body: z.output<z.ZodObject<typeof interaction>>) {
  return {
    user: body.user.id,
    team: body.team?.id ?? body.user.team_id,
    channel: body.channel?.id,
    channelName: body.channel?.name,
    triggerId: body.trigger_id,
    replyUrl: body.response_url,
  }
}

/** A message with replies carries its own ts as `thread_ts`, and stands in the channel. */
function threadOf(message: {
  ts?: string | undefined
  message_ts?: string | undefined
  thread_ts?: string | undefined
}): string | undefined {
  const { ts = message.message_ts, thread_ts } = message
  return thread_ts === ts ? undefined : thread_ts
}

export type Click = ReturnType<typeof readClick>

export const readClick = reader(
  z
    .object({
      ...interaction,
      message: z.object({ ts: z.string(), thread_ts: text }).optional(),
      /** Slack sends no ephemeral message along, but where it is shown. */
      container: z.object({ message_ts: text, thread_ts: text }).optional(),
      view: z.object({ id: z.string() }).optional(),
      /** Slack sends one action at a time. */
      actions: z.tuple(
        [
          z.object({
            action_id: z.string(),
            value: text,
            selected_option: z.object({ value: z.string() }).optional(),
          }),
        ],
        z.unknown(),
      ),
    })
    .transform((body) => ({
      ...callerOf(body),
      kind: "click" as const,
      entry: "action",
      action: body.actions[0].action_id,
      /** Value of the button, or of the option that was picked. */
      value: body.actions[0].selected_option?.value ?? body.actions[0].value ?? "",
      thread: threadOf(body.container ?? {}) ?? threadOf(body.message ?? {}),
      // Only messages of the bot have its buttons, and a direct message in which it posts is its own.
      ...(body.message && body.channel?.id.startsWith("D") ? { isOwnDirect: true } : {}),
      /** On the Home tab. */
      inView: body.view !== undefined,
    })),
)

/** A message to ask about: what other apps say stands in blocks and attachments. */
const quotable = z
  .object({
    ts: z.string(),
    thread_ts: text,
    user: text,
    username: text,
    text: z.string().default(""),
    blocks: z.array(z.unknown()).optional(),
    attachments: z.array(z.unknown()).optional(),
    files: z.unknown().optional(),
  })
  .transform((message) => ({
    ts: message.ts,
    thread_ts: message.thread_ts,
    user: message.user,
    app: message.username,
    text: messageWords(message),
    files: filesOf(message),
  }))

export type Shortcut = ReturnType<typeof readMessageShortcut>

export const readMessageShortcut = reader(
  z
    .object({ ...interaction, channel: conversation, trigger_id: z.string(), message: quotable })
    .transform((body) => ({
      ...callerOf(body),
      kind: "shortcut" as const,
      entry: "shortcut",
      channel: body.channel.id,
      triggerId: body.trigger_id,
      thread: threadOf(body.message),
      message: body.message,
    })),
)

export type GlobalShortcut = ReturnType<typeof readGlobalShortcut>

/** It comes from no conversation, and with no address to answer at. */
export const readGlobalShortcut = reader(
  z.object({ ...interaction, trigger_id: z.string() }).transform((body) => ({
    ...callerOf(body),
    kind: "global" as const,
    entry: "shortcut",
    thread: undefined,
  })),
)

const inputs = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      value: text,
      selected_conversation: text,
      selected_option: z.object({ value: z.string() }).optional(),
    }),
  ),
)

export type SentForm = ReturnType<typeof readForm>

export const readForm = reader(
  z
    .object({
      ...interaction,
      view: z.object({
        id: z.string(),
        private_metadata: z.string().default(""),
        state: z.object({ values: inputs }),
      }),
    })
    .transform((body) => ({
      ...callerOf(body),
      kind: "form" as const,
      entry: "form",
      view: body.view.id,
      draft: body.view.private_metadata,
      inputs: body.view.state.values,
    })),
)
