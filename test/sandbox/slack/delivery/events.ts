import type { JsonObject } from "../../kit/json.ts"
import { remember } from "../../kit/remember.ts"
import type { Core } from "../core.ts"
import { newId } from "../workspace/ids.ts"
import type { Acknowledgement, Delivery, RetryReason } from "./delivery.ts"
import { VERIFICATION_TOKEN } from "./payload-parts.ts"

/**
 * Delivers an event in Slack's envelope and resolves with the response to the first attempt. If the
 * settings say so, unacknowledged events are retried in the background.
 */
export async function sendEvent(core: Core, event: JsonObject): Promise<Acknowledgement> {
  const delivery = { kind: "events_api" as const, payload: envelope(core, event) }
  const answer = await dispatch(core, delivery)
  core.retries.schedule(answer, (number, reason) =>
    dispatch(core, { ...delivery, retry: { number, reason } }),
  )
  return answer
}

/** Delivers the same event again: as a retry or, without `retry`, unchanged. */
export function repeat(
  core: Core,
  delivery: Delivery,
  retry: { number: number; reason: RetryReason } | undefined,
): Promise<Acknowledgement> {
  return dispatch(core, { kind: delivery.kind, payload: delivery.payload, retry })
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
