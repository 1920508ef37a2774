import type { Json, JsonObject } from "../../sandbox/kit/json.ts"

export const text = (content: string) => ({ type: "plain_text", text: content })
export const mrkdwn = (content: string) => ({ type: "mrkdwn", text: content })
export const letters = (count: number) => "x".repeat(count)

/** As many of something as wanted, each made from its index. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

export const button = (actionId: string, more: JsonObject = {}) => ({
  type: "button",
  text: text("Go"),
  action_id: actionId,
  ...more,
})

export const option = (value: string) => ({ text: text(value), value })

/** A payload Slack refuses: its name, the block, and the fault expected as `pointer message`. */
export type RefusedCase = readonly [name: string, block: Json, fault: string]
export type AcceptedCase = readonly [name: string, block: Json]
