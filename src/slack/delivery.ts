import type { z } from "zod"

/** A delivery on its way through Bolt, which carries it in `context.delivery`. */
export interface Delivery {
  /** Answers Slack, once; later calls change nothing. Bolt's own `ack` comes too early for events. */
  ack(response?: object): Promise<void>
  /** Bolt knows what kind it is, and a listener found in it what Slack's documents promise. */
  stage: "new" | "known" | "read"
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
export function reader<Body, Payload>(shape: z.ZodType<Body>, payloadOf: (body: Body) => Payload) {
  return ({ body, context }: Received): Payload => {
    const parsed = shape.safeParse(body)
    if (!parsed.success) throw new MalformedPayload(parsed.error.issues[0]?.path.join(".") ?? "")
    deliveryOf(context).stage = "read"
    return payloadOf(parsed.data)
  }
}
