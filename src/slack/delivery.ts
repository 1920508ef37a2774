import type { App } from "@slack/bolt"
import { z } from "zod"
import type { Log } from "../runtime/log.ts"
import { type Delivered, describeDelivery } from "./delivered.ts"

/** What becomes of one delivery from Slack. */
export type DeliveryResult =
  | { kind: "acked"; body: unknown }
  /** Nothing here listens to it. */
  | { kind: "unhandled" }
  /** Not a payload that Slack sends. */
  | { kind: "malformed" }
  /** A listener failed before the work was durable; Slack should send it again. */
  | { kind: "failed" }

/** Called once, as soon as Slack may be answered. */
export type Answer = (result: DeliveryResult) => void | Promise<void>

const anyPayload = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
})
/** Bolt reads these without asking; a payload without them would throw inside it. */
const payloadShapes = z.union([
  z.looseObject({
    type: z.literal("event_callback"),
    event: z.looseObject({ type: z.string() }),
  }),
  z.looseObject({ command: z.string(), team_id: z.string(), user_id: z.string() }),
  z.looseObject({
    type: z.enum(["block_actions", "view_submission", "view_closed", "message_action", "shortcut"]),
    user: z.looseObject({ id: z.string() }),
  }),
])

/**
 * Deliveries through Bolt, over HTTP and Socket Mode alike.
 *
 * Bolt acknowledges events before their listeners run, and then a crash loses them. Here an event is
 * acknowledged when its listeners are done, which is when its work is durable; a failed one is not
 * acknowledged, and Slack sends it again. Commands and clicks are answered the moment a listener acks.
 */
export class Deliveries {
  readonly #inHand = new Set<Promise<void>>()
  readonly #log: Log
  readonly #onAnswered: (delivery: Delivered) => void
  #app: App | undefined

  constructor(log: Log, onAnswered: (delivery: Delivered) => void = () => {}) {
    this.#log = log
    this.#onAnswered = onAnswered
  }

  init(app: App): void {
    this.#app = app
  }

  /** Resolves when everything in hand is done. */
  async settled(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.allSettled(this.#inHand)
  }

  take(body: unknown, retry: { num?: number; reason?: string }, answer: Answer): Promise<void> {
    const arrived = performance.now()
    const work = this.#process(body, retry, async (result) => {
      const ms = performance.now() - arrived
      this.#onAnswered({ ...describeDelivery(body), outcome: result.kind, ms })
      await answer(result)
    })
    this.#inHand.add(work)
    void work.finally(() => this.#inHand.delete(work)).catch(() => {})
    return work
  }

  async #process(
    body: unknown,
    retry: { num?: number; reason?: string },
    answer: Answer,
  ): Promise<void> {
    const payload = anyPayload.safeParse(body)
    const known = payloadShapes.safeParse(body)
    if (!payload.success || !known.success || !this.#app) {
      await answer({ kind: "malformed" })
      return
    }
    const isEvent = payload.data.type === "event_callback"
    let answered = false
    const ack = async (response?: unknown) => {
      if (isEvent || answered) return
      answered = true
      await answer({ kind: "acked", body: response })
    }
    try {
      await this.#app.processEvent({
        body: payload.data,
        ack,
        ...(retry.num === undefined ? {} : { retryNum: retry.num }),
        ...(retry.reason === undefined ? {} : { retryReason: retry.reason }),
      })
    } catch (error) {
      this.#log.error(
        { error, payload: payload.data.type ?? payload.data.command },
        "a listener failed",
      )
      if (!answered) await answer({ kind: "failed" })
      return
    }
    if (answered) return
    await answer(isEvent ? { kind: "acked", body: undefined } : { kind: "unhandled" })
  }
}
