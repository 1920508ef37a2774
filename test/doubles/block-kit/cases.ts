import { expect, it } from "vitest"
import type { Json, JsonObject } from "../../sandbox/kit/json.ts"
import { validateMessageBlocks } from "../../sandbox/slack/index.ts"

export const text = (content: string) => ({ type: "plain_text", text: content })
export const mrkdwn = (content: string) => ({ type: "mrkdwn", text: content })
export const letters = (count: number) => "x".repeat(count)

/** Returns `count` values, each made from its index. */
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

/** Block that Slack rejects: a name, the block, and the expected fault as `pointer message`. */
export type RefusedCase = readonly [name: string, block: Json, fault: string]
export type AcceptedCase = readonly [name: string, block: Json]

/** Checks a block of each case, alone in a message. Pointers are relative to the block. */
export function checkBlocks(accepted: AcceptedCase[], refused: RefusedCase[]): void {
  it.each(accepted)("may be %s", (_name, block) => {
    expect(validateMessageBlocks([block])).toEqual([])
  })

  it.each(refused)("may not be %s", (_name, block, fault) => {
    const faults = validateMessageBlocks([block]).map((one) => `${one.pointer} ${one.message}`)
    expect(faults).toContain(`/blocks/0${fault}`)
  })
}
