import { setTimeout as sleep } from "node:timers/promises"
import type { Json, JsonObject } from "../../kit/json.ts"
import { remember } from "../../kit/listeners.ts"
import type { Core } from "../core.ts"
import { newId } from "../workspace/ids.ts"
import type { Channel, User } from "../workspace/model.ts"

/** Payload that Slack sends to the app. */
export interface Delivery {
  readonly kind: "slash_commands" | "events_api" | "interactive"
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

/** Deprecated token that Slack still sends; the same in every payload, so it proves nothing. */
export const VERIFICATION_TOKEN = "local-verification-token"

/**
 * Delivers an event in Slack's envelope and resolves with the response to the first attempt. If the
 * settings say so, unacknowledged events are retried in the background.
 */
export async function sendEvent(core: Core, event: JsonObject): Promise<Acknowledgement> {
  const delivery = { kind: "events_api" as const, payload: envelope(core, event) }
  const answer = await dispatch(core, delivery)
  // Closing the local Slack ends it.
  void retry(core, delivery, answer.failure).catch(() => undefined)
  return answer
}

/** Repeats an event after each of the waits, until an attempt is acknowledged. */
async function retry(core: Core, delivery: Delivery, failure: RetryReason | undefined) {
  let reason = failure
  for (const [index, ms] of core.retries.delaysMs.entries()) {
    if (reason === undefined) return
    core.retries.ahead += 1
    await sleep(ms, undefined, { signal: core.closing.signal })
    const again = { ...delivery, retry: { number: index + 1, reason } }
    reason = (await dispatch(core, again)).failure
    core.retries.ahead -= 1
  }
}

function envelope(core: Core, event: JsonObject): JsonObject {
  const { team, bot, channels, now } = core.workspace
  const channel = typeof event.channel === "string" ? channels.get(event.channel) : undefined
  const user_id = bot.userId
  return {
    token: VERIFICATION_TOKEN,
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: bot.appId,
    event,
    type: "event_callback",
    event_id: newId("Ev"),
    event_time: Math.floor(now() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: (channel?.sharedWith.length ?? 0) > 0,
    event_context: newId("4-"),
  }
}

/** Makes one delivery attempt and records it. */
export async function dispatch(core: Core, delivery: Delivery): Promise<Acknowledgement> {
  const acknowledgement = await core.transport.deliver(delivery)
  const record = { delivery, acknowledgement }
  remember(core.deliveries, record, core.keep)
  core.workspace.changes.emit({ type: "delivered", delivery: record })
  return acknowledgement
}

export function interactionParts(core: Core, user: User): JsonObject {
  const { team, bot } = core.workspace
  return {
    token: VERIFICATION_TOKEN,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: bot.appId,
  }
}

export function channelPart(channel: Channel): JsonObject {
  return { id: channel.id, name: payloadChannelName(channel) }
}

/** Returns the name in payloads, which hide the names of private conversations. */
export function payloadChannelName(channel: Channel): string {
  if (channel.kind === "im") return "directmessage"
  return channel.kind === "private" ? "privategroup" : channel.name
}
