import type { App } from "@slack/bolt"
import { z } from "zod"
import { SlackError } from "../errors/slack-error.ts"
import { defined } from "../runtime/defined.ts"
import type { Log } from "../runtime/log.ts"
import { type Delivery, deliveryOf, MalformedPayload } from "./delivery.ts"

/** The fate of one delivery from Slack. */
export type Outcome =
  | { kind: "acked"; body?: unknown }
  /** A command that nothing here listens to. */
  | { kind: "unhandled" }
  /** Not a payload that Slack sends. */
  | { kind: "malformed" }
  /** A listener failed before the work was durable; Slack should send it again. */
  | { kind: "failed" }

/** One delivery for the log, and what became of it; no words of people, no secrets. */
export type AnsweredPayload = z.output<typeof summary> & {
  outcome: Outcome["kind"]
  /** From its arrival to its answer. */
  ms: number
}

/**
 * Hands deliveries to Bolt, over HTTP and Socket Mode alike, and answers each once.
 *
 * Bolt acknowledges events before their listeners run, and then a crash loses them. Here everything is
 * answered the moment a listener acknowledges it, which is when its work is durable; an event that failed
 * before that is not acknowledged, and Slack sends it again.
 */
export class Intake {
  readonly #inFlight = new Set<Promise<void>>()
  readonly #log: Log
  readonly #onAnswered: (payload: AnsweredPayload) => void
  #app: App | undefined

  constructor(log: Log, onAnswered: (payload: AnsweredPayload) => void) {
    this.#log = log
    this.#onAnswered = onAnswered
  }

  /** Called by Bolt with itself, through the receiver. */
  init(app: App): void {
    this.#app = app
    app.use(async ({ context, next }) => {
      deliveryOf(context).stage = "known"
      await next()
    })
  }

  /** Resolves when everything in hand is done. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight)
  }

  /** @param body without any `null`; see `withoutNulls` @param answer called once */
  async take(body: unknown, answer: (outcome: Outcome) => unknown): Promise<void> {
    const arrived = performance.now()
    const about = summary.parse(body)
    let isAnswered = false
    const work = this.#process(body, about.entry, async (outcome) => {
      if (isAnswered) return
      isAnswered = true
      this.#onAnswered({ ...about, outcome: outcome.kind, ms: performance.now() - arrived })
      await answer(outcome)
    })
    this.#inFlight.add(work)
    await work.finally(() => this.#inFlight.delete(work))
  }

  async #process(
    body: unknown,
    entry: string,
    answer: (outcome: Outcome) => Promise<void>,
  ): Promise<void> {
    const { type, event, command } = typed.parse(body)
    // Bolt does not know Slack's word that it leaves out events (Events API, "Rate limiting").
    if (type === "app_rate_limited") {
      this.#log.warn("Slack is dropping events: more than 30,000 came within an hour")
      return answer({ kind: "acked" })
    }
    const isEvent = event !== undefined
    const ack = (response?: object) =>
      answer({ kind: "acked", body: isEvent ? undefined : response })
    const delivery: Delivery = { ack, stage: "new" }
    try {
      await this.#app?.processEvent({
        body: body as Record<string, unknown>,
        ack: isEvent ? async () => {} : ack,
        customProperties: { delivery },
      })
    } catch (error) {
      if (delivery.stage !== "read") {
        const field = error instanceof MalformedPayload ? error.field : String(error)
        this.#log.warn({ entry, field }, "refused a signed payload that isn't in Slack's form")
        return answer({ kind: "malformed" })
      }
      this.#log.error({ error, payload: type ?? command }, "a listener failed")
      // A request is durable before the bot answers; an answer that Slack refuses for good is lost, and
      // sending the event again would lose it again.
      const isRefused = error instanceof SlackError && error.verdict === "give_up"
      return answer({ kind: isEvent && isRefused ? "acked" : "failed" })
    }
    if (delivery.stage === "new") return answer({ kind: "malformed" })
    await answer({ kind: command === undefined ? "acked" : "unhandled" })
  }
}

const word = z.string().optional().catch(undefined)

const typed = z
  .object({
    type: word,
    command: word,
    event: z.object({ type: word, user: word, channel: word, ts: word }).optional().catch({}),
    actions: z
      .array(z.object({ action_id: word }))
      .optional()
      .catch([]),
    user: z.object({ id: word }).optional().catch({}),
    user_id: word,
    trigger_id: word,
    event_id: word,
  })
  .catch({})

const ENTRIES = new Map([
  ["block_actions", "action"],
  ["view_submission", "form"],
  ["view_closed", "form"],
  ["message_action", "shortcut"],
  ["shortcut", "shortcut"],
])

const summary = typed.transform(({ type = "", command, event, ...body }) => ({
  /** The command, the event's type, or `action`, `form`, `shortcut`. */
  entry: event?.type ?? command ?? ENTRIES.get(type) ?? "unknown",
  ...defined({
    /** trigger_id of a command or click, event_id of an event: what Slack calls this delivery. */
    slack: body.event_id ?? body.trigger_id,
    user: event?.user ?? body.user_id ?? body.user?.id,
    action: body.actions?.[0]?.action_id,
    /** The message that an event is about. */
    message: event?.ts && event.channel ? `${event.channel}:${event.ts}` : undefined,
  }),
}))
