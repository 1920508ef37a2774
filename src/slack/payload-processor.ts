import type { App } from "@slack/bolt"
import { SlackError } from "../errors/slack-error.ts"
import type { Log } from "../runtime/log.ts"
import { MalformedPayload } from "./errors.ts"
import { isRateNotice, isSlackPayload } from "./payload-shapes.ts"
import { type PayloadSummary, summarizePayload } from "./payload-summary.ts"

/** What becomes of one delivery from Slack. */
export type PayloadResult =
  | { kind: "acked"; body: unknown }
  /** Nothing here listens to it. */
  | { kind: "unhandled" }
  /** Not a payload that Slack sends. */
  | { kind: "malformed" }
  /** A listener failed before the work was durable; Slack should send it again. */
  | { kind: "failed" }

/** Called once, as soon as Slack may be answered. */
export type Answer = (result: PayloadResult) => void | Promise<void>

/**
 * Deliveries through Bolt, over HTTP and Socket Mode alike.
 *
 * Bolt acknowledges events before their listeners run, and then a crash loses them. Here an event is
 * acknowledged when its listeners are done, which is when its work is durable; a failed one is not
 * acknowledged, and Slack sends it again. Commands and clicks are answered the moment a listener acks.
 */
export class PayloadProcessor {
  readonly #inHand = new Set<Promise<void>>()
  readonly #log: Log
  readonly #onAnswered: (payload: PayloadSummary) => void
  #app: App | undefined

  constructor(log: Log, onAnswered: (payload: PayloadSummary) => void = () => {}) {
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
      this.#onAnswered({ ...summarizePayload(body), outcome: result.kind, ms })
      await answer(result)
    })
    this.#inHand.add(work)
    const done = () => this.#inHand.delete(work)
    work.then(done, done)
    return work
  }

  async #process(
    body: unknown,
    retry: { num?: number; reason?: string },
    answer: Answer,
  ): Promise<void> {
    if (!isSlackPayload(body) || !this.#app) {
      const noticed = isRateNotice(body)
      if (noticed) this.#log.warn("Slack leaves out events: more than 30,000 came within an hour")
      await answer(noticed ? { kind: "acked", body: undefined } : { kind: "malformed" })
      return
    }
    const isEvent = body.type === "event_callback"
    let answered = false
    const ack = async (response?: unknown) => {
      if (isEvent || answered) return
      answered = true
      await answer({ kind: "acked", body: response })
    }
    try {
      await this.#app.processEvent({
        body,
        ack,
        ...(retry.num === undefined ? {} : { retryNum: retry.num }),
        ...(retry.reason === undefined ? {} : { retryReason: retry.reason }),
      })
    } catch (error) {
      const result = this.#failure(error, body, isEvent)
      if (!answered) await answer(result)
      return
    }
    if (answered) return
    await answer(isEvent ? { kind: "acked", body: undefined } : { kind: "unhandled" })
  }

  #failure(
    error: unknown,
    payload: { type?: unknown; command?: unknown },
    isEvent: boolean,
  ): PayloadResult {
    if (error instanceof MalformedPayload) {
      this.#log.warn({ error }, "a signed payload was refused")
      return { kind: "malformed" }
    }
    this.#log.error({ error, payload: payload.type ?? payload.command }, "a listener failed")
    // What is durable is so before the bot answers; an answer that Slack refuses for good is lost, and
    // sending the event again would lose it again.
    const refused = error instanceof SlackError && error.verdict === "give_up"
    return isEvent && refused ? { kind: "acked", body: undefined } : { kind: "failed" }
  }
}
