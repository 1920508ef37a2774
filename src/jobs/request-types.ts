import { z } from "zod"
import { promptShape } from "./request-text.ts"
import type { Ask } from "./round-record.ts"

export const draftShape = z.object({
  v: z.literal(3),
  project: z.string(),
  channel: z.string(),
  user: z.string(),
  thread: z.string().optional(),
  /** Timestamp of the message with the request, if it came as one. */
  ts: z.string().optional(),
  kind: z.enum(["request", "review"]).optional(),
  /** Ids of the requests of its thread's job that this one replaces, whose words go. */
  replaces: z.array(z.string()).optional(),
  /** `response_url` for a private answer if the bot cannot post the card. */
  replyUrl: z.string().optional(),
  prompt: promptShape,
  /** Keys of the gap that the request is about: see `visitors/requested-gaps.ts`. */
  gaps: z.array(z.string()).optional(),
})

/** Request that waits until the requester fills in a form or answers a question about it. */
export type Draft = Omit<z.infer<typeof draftShape>, "v">

export interface NewRequest extends Draft {
  /** Id of the command, message or form that Slack sent, so that each starts at most one job. */
  delivery: string
  /** Id of Slack's event, for the log. */
  event?: string | undefined
  /** True if the person wants this request although it is identical to an earlier one. */
  anyway?: boolean | undefined
  /** Job that this request is about; otherwise the latest one of its thread and project. */
  job?: string | undefined
  /** Earlier job that the new one continues. */
  continuesJob?: string | undefined
}

/** Request as the job stores it, and as it arrived. */
export interface Accepted {
  ask: Ask
  request: Omit<NewRequest, "delivery">
}

/** Refusal of a request because too much waits already, or because Redis is nearly full. */
export type Full =
  | { outcome: "full"; of: "waiting" | "follow_ups" | "bytes"; most: number }
  | { outcome: "no_room" }

export type Submitted =
  | { outcome: "queued"; id: string }
  /** Delivery that was accepted before, and that Slack or somebody else has sent again. */
  | { outcome: "known"; id: string }
  /** Repetition of a recent request, which the person may want anyway. */
  | { outcome: "same"; id: string }
  | Full
