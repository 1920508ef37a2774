import type { LocalPull } from "../pull.ts"

export type Condition = "Merged" | "Closed" | "Draft" | "Open"

export function conditionOf({ mergedAt, state, draft }: LocalPull): Condition {
  if (mergedAt !== null) return "Merged"
  if (state === "closed") return "Closed"
  return draft ? "Draft" : "Open"
}
