import { type App, UnknownError } from "@slack/bolt"
import { z } from "zod"
import type { Log } from "../lib/log.ts"
import { cleanJson, type SecretFilter } from "../lib/secrets.ts"
import { HOUR_MS } from "../lib/time.ts"

/** Time in ms to remember a delivery: Slack's delayed events come up to 24 h late. */
export const REPEATED_WITHIN_MS = 25 * HOUR_MS

/** Fields that identify a payload in the log and the metrics; `slack` is the event's id. */
type Payload = { entry: string } & {
  [Fact in "user" | "channel" | "slack" | "triggerId" | "action" | "ts"]?: string | undefined
}

export interface Delivery {
  /** Answers Slack; later calls do nothing. Bolt's own `ack` comes too early for events. */
  ack: (response?: object) => Promise<void>
  payload?: Payload
}

export function deliveryOf({ delivery }: Readonly<Record<string, unknown>>): Delivery {
  return delivery as Delivery
}

export interface Received {
  body: unknown
  context: Readonly<Record<string, unknown>>
}

/** Parses a payload, and notes what to log of it. @throws ZodError */
export function parsePayload<Read extends Payload>(
  shape: z.ZodType<Read>,
  { body, context }: Received,
): Read {
  const payload = shape.parse(body)
  deliveryOf(context).payload = payload
  return payload
}

type Outcome =
  | { kind: "acked"; body?: unknown }
  | { kind: "malformed" }
  /** Failure of a listener before the work was durable; Slack should send the payload again. */
  | { kind: "failed" }

export type AnsweredPayload = ReturnType<typeof factsIn> & {
  outcome: Outcome["kind"]
  ms: number
}

export type Intake = ReturnType<typeof createIntake>

/**
 * Passes deliveries to Bolt and answers each once. Bolt itself would acknowledge events before the
 * listeners run, so a crash would lose them. A listener acknowledges a message once its request is
 * durable; if it fails before that, Slack sends the event again. Removes the bot's own secrets from
 * what people typed, because cards, Redis and private answers repeat it.
 */
export function createIntake(
  log: Log,
  secrets: SecretFilter,
  onAnswered: (payload: AnsweredPayload) => void,
) {
  const inFlight = new Set<Promise<void>>()
  let app: App | undefined

  async function handOver(body: unknown, delivery: Delivery): Promise<Outcome> {
    try {
      await app?.processEvent({
        body: cleanJson(secrets, body) as Record<string, unknown>,
        ack: async () => {},
        customProperties: { delivery },
      })
      return { kind: "acked" }
    } catch (thrown) {
      const error = thrown instanceof UnknownError ? thrown.original : thrown
      if (!delivery.payload) {
        const [issue] = error instanceof z.ZodError ? error.issues : []
        const field = issue ? issue.path.join(".") : String(error)
        log.warn({ field }, "signed payload rejected: not in Slack's format")
        return { kind: "malformed" }
      }
      log.error({ error, entry: delivery.payload.entry }, "Slack request failed")
      return { kind: "failed" }
    }
  }

  return {
    init: (bolt: App): void => {
      app = bolt
    },

    async take(body: unknown, reply: (outcome: Outcome) => unknown): Promise<void> {
      const arrived = performance.now()
      let isAnswered = false
      const delivery: Delivery = {
        ack: (response) => answerOnce({ kind: "acked", body: response }),
      }
      async function answerOnce(outcome: Outcome): Promise<void> {
        if (isAnswered) return
        isAnswered = true
        const ms = performance.now() - arrived
        onAnswered({ ...factsIn(delivery.payload ?? unread(body)), outcome: outcome.kind, ms })
        await reply(outcome)
      }
      const work = handOver(body, delivery).then(answerOnce)
      inFlight.add(work)
      await work.finally(() => inFlight.delete(work))
    },

    /** Resolves once the deliveries in hand are done, however they end. */
    settled: () => Promise.allSettled(inFlight),
  }
}

/** Names a payload that no listener has read: Bolt passes on no event about the bot's own messages. */
function unread(body: unknown): Payload {
  const { data } = ownMessage.safeParse(body)
  return { entry: data ? data.event.type : "unknown" }
}

const ownMessage = z.object({ event: z.object({ type: z.literal("message") }) })

function factsIn({ entry, slack, triggerId, user, action, channel, ts }: Payload) {
  const message = ts && `${channel}:${ts}`
  return { entry, slack: slack ?? triggerId, user, action, message }
}
