import type { z } from "zod"

/** Facts of a payload by which the log and the metrics name it. */
interface Payload {
  /** The command, the event's type, or `action`, `form`, `shortcut`. */
  entry: string
  user?: string | undefined
  channel?: string | undefined
  /** Slack's name of this delivery: event_id of an event, trigger_id of a command or click. */
  slack?: string | undefined
  triggerId?: string | undefined
  action?: string | undefined
  /** The message that an event is about. */
  ts?: string | undefined
}

/** A delivery on its way through Bolt, which carries it in `context.delivery`. */
export interface Delivery {
  /** Answers Slack, once; later calls change nothing. Bolt's own `ack` comes too early for events. */
  ack: (response?: object) => Promise<void>
  /** Set once a listener found in it what Slack's documents promise. */
  payload?: Payload
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

export function deliveryOf({ delivery }: Readonly<Record<string, unknown>>): Delivery {
  return delivery as Delivery
}

/** The part of Bolt's arguments that is read. */
interface Received {
  body: unknown
  context: Readonly<Record<string, unknown>>
}

/**
 * Makes a reader of one kind of payload: fields that nobody reads are not demanded.
 * @throws MalformedPayload before anything was done
 */
export function reader<Body, Read extends Payload>(
  shape: z.ZodType<Body>,
  payloadOf: (body: Body) => Read,
) {
  return ({ body, context }: Received): Read => {
    const parsed = shape.safeParse(body)
    if (!parsed.success) throw new MalformedPayload(parsed.error.issues[0]?.path.join(".") ?? "")
    const payload = payloadOf(parsed.data)
    deliveryOf(context).payload = payload
    return payload
  }
}
