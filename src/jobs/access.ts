import type { Ask } from "./round.ts"

export type Refusal = "channel" | "user" | "guest" | "stranger" | "bot"

export interface RefusedAsk {
  ask: Ask
  refusal: Refusal | "unclear"
}
