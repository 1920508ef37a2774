import type { Json, JsonObject } from "../../kit/json.ts"

type DeliveryKind = "slash_commands" | "events_api" | "interactive"

/** Payload that Slack sends to the app. */
export interface Delivery {
  readonly kind: DeliveryKind
  readonly payload: JsonObject
  readonly retry?: { readonly number: number; readonly reason: RetryReason } | undefined
}

export type RetryReason = "http_timeout" | "connection_failed" | "http_error"

export interface Acknowledgement {
  readonly ok: boolean
  /** HTTP status; undefined over a socket or without a response. */
  readonly status: number | undefined
  /** Parsed response: an object, text, or undefined if empty. */
  readonly body: Json | undefined
  /** Time in ms from sending to the response or the failure. */
  readonly ms: number
  readonly failure: RetryReason | undefined
}

export interface DeliveryRecord {
  readonly delivery: Delivery
  readonly acknowledgement: Acknowledgement
}

/** Connection to the app: signed HTTP or Socket Mode. */
export interface Transport {
  deliver(delivery: Delivery): Promise<Acknowledgement>
}
