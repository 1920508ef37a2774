import type { Json, JsonObject } from "../../kit/json.ts"

type DeliveryKind = "slash_commands" | "events_api" | "interactive"

/** Something Slack sends to the app. */
export interface Delivery {
  readonly kind: DeliveryKind
  readonly payload: JsonObject
  readonly retry?: { readonly number: number; readonly reason: RetryReason } | undefined
}

export type RetryReason = "http_timeout" | "connection_failed" | "http_error"

export interface Acknowledgement {
  readonly ok: boolean
  /** The HTTP status; undefined over a socket or without an answer. */
  readonly status: number | undefined
  /** The parsed answer: an object, text, or undefined if empty. */
  readonly body: Json | undefined
  /** Milliseconds from sending to the answer or to giving up. */
  readonly ms: number
  readonly failure: RetryReason | undefined
}

export interface DeliveryRecord {
  readonly at: number
  readonly delivery: Delivery
  readonly acknowledgement: Acknowledgement
}

/** The way to the app: signed HTTP or Socket Mode. */
export interface Transport {
  deliver(delivery: Delivery): Promise<Acknowledgement>
}
