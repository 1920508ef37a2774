import type { DeliveryRecord } from "../../slack/delivery/delivery.ts"
import { isObject, type JsonObject, objectsIn, stringIn } from "../../slack/json.ts"
import type { WebApiCall } from "../../slack/web-api/call-log.ts"
import type { SlackChange } from "../../slack/workspace/changes.ts"
import type { Sighting } from "./traffic-book.ts"

/** Slack's part of the traffic; undefined for changes that nothing travelled for. */
export function slackSighting(change: SlackChange, now: number): Sighting | undefined {
  if (change.type === "called") return callSighting(change.call)
  if (change.type === "delivered") return deliverySighting(change.delivery)
  if (change.type === "violated") {
    const { violation } = change
    const title = "Slack would accept this, the sandbox doesn't"
    const outcome = "violation"
    return {
      at: now,
      lane: "violation",
      title,
      detail: violation,
      outcome,
      ok: false,
      payload: violation,
    }
  }
  return undefined
}

function callSighting({ at, method, args, ok, error }: WebApiCall): Sighting {
  const view = isObject(args.view) ? args.view : {}
  const words = stringIn(args, "text") ?? titleOf(view) ?? stringIn(args, "filename") ?? ""
  const place = stringIn(args, "channel") ?? stringIn(args, "user_id") ?? ""
  return {
    at,
    lane: "to_slack",
    title: method,
    detail: [place, words].filter(Boolean).join("  "),
    outcome: error ?? "ok",
    ok,
    payload: args,
  }
}

function deliverySighting({ at, delivery, acknowledgement }: DeliveryRecord): Sighting {
  const { ok, status, failure, ms, body } = acknowledgement
  const { kind, payload, retry } = delivery
  const again = retry === undefined ? "" : ` (retry ${retry.number})`
  return {
    at,
    lane: "to_bot",
    title: `${deliveryTitle(kind, payload)}${again}`,
    detail: deliveryDetail(payload),
    outcome: failure ?? (status === undefined ? "acknowledged" : String(status)),
    ok,
    ms: Math.round(ms),
    payload: { sent: payload, answer: body ?? null },
  }
}

function deliveryTitle(kind: DeliveryRecord["delivery"]["kind"], payload: JsonObject): string {
  if (kind === "slash_commands") return stringIn(payload, "command") ?? kind
  if (kind === "events_api") return eventOf(payload, "type") ?? kind
  const [action] = objectsIn(payload.actions)
  const name = action ? stringIn(action, "action_id") : stringIn(payload, "callback_id")
  return [stringIn(payload, "type") ?? kind, name].filter(Boolean).join(" ")
}

function deliveryDetail(payload: JsonObject): string {
  const user =
    stringIn(payload, "user_id") ?? memberOf(payload.user, "id") ?? eventOf(payload, "user")
  const words = stringIn(payload, "text") ?? eventOf(payload, "text") ?? ""
  return [user, words].filter(Boolean).join("  ")
}

function eventOf(payload: JsonObject, key: string): string | undefined {
  return memberOf(payload.event, key)
}

function memberOf(value: unknown, key: string): string | undefined {
  return isObject(value) ? stringIn(value, key) : undefined
}

function titleOf(view: JsonObject): string | undefined {
  return memberOf(view.title, "text")
}
