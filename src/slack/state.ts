import { SlackError } from "../errors/slack-error.ts"
import type { Identity } from "./identity.ts"
import { TOKEN_CODES } from "./verdict.ts"

/** What is known about the bot's standing with Slack. */
export interface SlackState {
  identity: Identity | undefined
  /** The code with which Slack last refused the token, if it does. */
  refused: string | undefined
  /** When Slack last answered about it, by `performance.now()`; absent: never. */
  askedAt: number | undefined
  /** Asks Slack who the bot is. @throws SlackError */
  refresh(): Promise<Identity>
}

/** @param ask asks Slack who the bot is */
export function createSlackState(ask: () => Promise<Identity>): SlackState {
  const state: SlackState = {
    identity: undefined,
    refused: undefined,
    askedAt: undefined,
    async refresh() {
      try {
        state.identity = await ask()
        state.askedAt = performance.now()
        state.refused = undefined
        return state.identity
      } catch (error) {
        if (error instanceof SlackError && TOKEN_CODES.has(error.code)) state.refused = error.code
        throw error
      }
    },
  }
  return state
}

/** Every call tells something about the token. */
export function learnFrom(state: SlackState, outcome: string): void {
  if (outcome === "ok") state.refused = undefined
  else if (TOKEN_CODES.has(outcome)) state.refused = outcome
}
