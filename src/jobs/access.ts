import type { Profile } from "../slack/profiles.ts"
import type { Ask } from "./round.ts"
export type Refusal = "channel" | "user" | "guest" | "stranger" | "bot"

/**
 * Decides whether this person may ask here, before the bot posts a card or sends a request.
 * @throws SlackError if Slack does not answer, because the bot admits nobody whom Slack has not
 * confirmed
 */
export type Gate = (asker: {
  user: string
  channel?: string | undefined
}) => Promise<{ profile: Profile } | { refusal: Refusal }>

export interface RefusedAsk {
  ask: Ask
  refusal: Refusal | "unclear"
}
