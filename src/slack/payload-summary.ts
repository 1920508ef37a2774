import { z } from "zod"
import type { PayloadResult } from "./payload-processor.ts"

/** One delivery from Slack and what became of it; no words of people, no secrets. */
export interface PayloadSummary {
  /** The command, the event's type, or `action`, `form`, `shortcut`. */
  entry: string
  /** trigger_id of a command or click, event_id of an event: what Slack calls this delivery. */
  slack?: string
  user?: string
  action?: string
  /** `channel:ts` of the message that an event is about. */
  message?: string
  outcome: PayloadResult["kind"]
  /** From its arrival to its answer. */
  ms: number
}

const text = z.string().optional().catch(undefined)
const ids = z.object({ id: text }).optional().catch(undefined)
const payload = z.object({
  type: text,
  command: text,
  trigger_id: text,
  event_id: text,
  user_id: text,
  user: ids,
  actions: z
    .array(z.object({ action_id: text }))
    .optional()
    .catch(undefined),
  event: z.object({ type: text, user: text, channel: text, ts: text }).optional().catch(undefined),
})

const ENTRY_OF_TYPE: Record<string, string> = {
  block_actions: "action",
  view_submission: "form",
  view_closed: "form",
  message_action: "shortcut",
  shortcut: "shortcut",
}

/** What a payload is, as far as it can be told; never throws, however odd the payload. */
export function summarizePayload(body: unknown): Omit<PayloadSummary, "outcome" | "ms"> {
  const parsed = payload.safeParse(body)
  if (!parsed.success) return { entry: "unknown" }
  const { type = "", command, event, actions, user, user_id, trigger_id, event_id } = parsed.data
  const slack = event_id ?? trigger_id
  const who = user_id ?? user?.id ?? event?.user
  const action = actions?.[0]?.action_id
  return {
    entry: command ?? event?.type ?? ENTRY_OF_TYPE[type] ?? "unknown",
    ...(slack === undefined ? {} : { slack }),
    ...(who === undefined ? {} : { user: who }),
    ...(action === undefined ? {} : { action }),
    ...(event?.channel && event.ts ? { message: `${event.channel}:${event.ts}` } : {}),
  }
}
