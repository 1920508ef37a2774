import type { AnyMiddlewareArgs, App, Middleware } from "@slack/bolt"
import { SlackError } from "../errors/slack-error.ts"
import type { Log } from "../runtime/log.ts"
import {
  type Heard,
  isRecord,
  type Payload,
  type PayloadSummary,
  parsePayload,
  summaryOf,
} from "./payloads.ts"

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
type Answer = (result: PayloadResult) => void | Promise<void>

/** One delivery and what became of it. */
export interface AnsweredPayload extends PayloadSummary {
  outcome: PayloadResult["kind"]
  /** From its arrival to its answer. */
  ms: number
}

/** Acknowledges a delivery, with an answer where Slack shows one. Later calls change nothing. */
export type Ack = (response?: object) => Promise<void>

/** Handles a payload. @param body as Slack sent it @param ack replaces Bolt's own, which is too early for events */
export type Handle = (payload: Heard, body: unknown, ack: Ack) => Promise<void>

/** What Bolt carries from the receiver to its listener beside the body. */
interface Inbound {
  payload: Heard
  ack: Ack
}

/**
 * One listener for everything: with several, Bolt runs each one's chain for every payload of any kind, and
 * eight of them take as long as all other work on a command.
 */
export function listener(handle: Handle): Middleware<AnyMiddlewareArgs> {
  return async ({ body, context }) => {
    const { payload, ack }: Inbound = context.inbound
    await handle(payload, body, ack)
  }
}

interface PayloadProcessorOptions {
  log: Log
  onAnswered(payload: AnsweredPayload): void
}

/**
 * Deliveries through Bolt, over HTTP and Socket Mode alike.
 *
 * Bolt acknowledges events before their listeners run, and then a crash loses them. Here everything is
 * answered the moment a handler acknowledges it, which is when its work is durable; an event that failed
 * before that is not acknowledged, and Slack sends it again.
 */
export class PayloadProcessor {
  readonly #inFlight = new Set<Promise<void>>()
  readonly #options: PayloadProcessorOptions
  #app: App | undefined

  constructor(options: PayloadProcessorOptions) {
    this.#options = options
  }

  /** Called by Bolt with itself, through the receiver. */
  init(app: App): void {
    this.#app = app
  }

  /** Resolves when everything in hand is done. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight)
  }

  take(body: unknown, retry: { num?: number; reason?: string }, answer: Answer): Promise<void> {
    const arrived = performance.now()
    const payload = parsePayload(body)
    const work = this.#process(payload, body, retry, async (result) => {
      const ms = performance.now() - arrived
      this.#options.onAnswered({ ...summaryOf(payload), outcome: result.kind, ms })
      await answer(result)
    })
    this.#inFlight.add(work)
    const done = () => this.#inFlight.delete(work)
    work.then(done, done)
    return work
  }

  async #process(
    payload: Payload,
    body: unknown,
    retry: { num?: number; reason?: string },
    answer: Answer,
  ): Promise<void> {
    if (payload.kind === "malformed" || payload.kind === "rate_notice" || !isRecord(body)) {
      this.#note(payload)
      return answer(
        payload.kind === "rate_notice" ? { kind: "acked", body: undefined } : { kind: "malformed" },
      )
    }
    const isEvent = body.type === "event_callback"
    let answered = false
    const once = async (result: PayloadResult) => {
      if (answered) return
      answered = true
      await answer(result)
    }
    const ack: Ack = (response) => once({ kind: "acked", body: isEvent ? undefined : response })
    const inbound: Inbound = { payload, ack }
    try {
      await this.#app?.processEvent({
        body,
        ack: async () => {},
        customProperties: { inbound },
        ...(retry.num === undefined ? {} : { retryNum: retry.num }),
        ...(retry.reason === undefined ? {} : { retryReason: retry.reason }),
      })
    } catch (error) {
      return once(this.#failure(error, body.type ?? body.command, isEvent))
    }
    await once(isEvent ? { kind: "acked", body: undefined } : { kind: "unhandled" })
  }

  /** Of a payload that Bolt is not given. */
  #note(payload: Payload): void {
    const { log } = this.#options
    if (payload.kind === "rate_notice")
      log.warn("Slack is dropping events: more than 30,000 came within an hour")
    else if ("field" in payload)
      log.warn(
        { entry: payload.entry, field: payload.field },
        "refused a signed payload that isn't in Slack's form",
      )
  }

  #failure(error: unknown, payload: unknown, isEvent: boolean): PayloadResult {
    this.#options.log.error({ error, payload }, "a listener failed")
    // What is durable is so before the bot answers; an answer that Slack refuses for good is lost, and
    // sending the event again would lose it again.
    const refused = error instanceof SlackError && error.verdict === "give_up"
    return isEvent && refused ? { kind: "acked", body: undefined } : { kind: "failed" }
  }
}
