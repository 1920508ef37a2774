import type { z } from "zod"

/** Fields that identify a payload in the log and the metrics; `slack` is the event's id. */
type Payload = { entry: string } & {
  [Fact in "user" | "channel" | "slack" | "triggerId" | "action" | "ts"]?: string | undefined
}

export interface Delivery {
  /** Answers Slack; later calls do nothing. Bolt's own `ack` comes too early for events. */
  ack: (response?: object) => Promise<void>
  payload?: Payload
}

/** Error for a signed payload of the wrong form; the message names the first invalid field. */
export class MalformedPayload extends Error {
  override name = "MalformedPayload"
}

export function deliveryOf({ delivery }: Readonly<Record<string, unknown>>): Delivery {
  return delivery as Delivery
}

export interface Received {
  body: unknown
  context: Readonly<Record<string, unknown>>
}

/** Parses a payload, and notes what to log of it. @throws MalformedPayload */
export function parsePayload<Read extends Payload>(
  shape: z.ZodType<Read>,
  { body, context }: Received,
): Read {
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw new MalformedPayload(parsed.error.issues[0]?.path.join(".") ?? "")
  deliveryOf(context).payload = parsed.data
  return parsed.data
}
