import { SlackError } from "../errors/slack-error.ts"
import type { Log } from "../runtime/log.ts"
import type { SlackState } from "./state.ts"

/** How often Slack is asked whether it still knows the bot, ms; and while it does not answer. */
const TOKEN_CHECK = { everyMs: 60_000, againMs: 5000 }

/**
 * Makes the pass that asks whether Slack still takes the token; one revoked by mistake may come back
 * to life. The log is told once when Slack begins to refuse it, whichever call was the first to hear,
 * and once when it knows the bot again.
 * @returns a pass that resolves to how long to rest, ms
 */
export function createTokenCheck(state: SlackState, log: Log): () => Promise<number> {
  let said: string | undefined
  return async () => {
    const { identity, refused, askedAt } = state
    const isFresh = askedAt !== undefined && askedAt + TOKEN_CHECK.everyMs > performance.now()
    if (identity && !refused && isFresh) return TOKEN_CHECK.everyMs
    try {
      const me = await state.refresh()
      if (!identity || said) log.info({ team: me.team, bot: me.user }, "signed in to Slack")
      said = undefined
      return TOKEN_CHECK.everyMs
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (state.refused && state.refused !== said)
        log.error(
          { code: state.refused },
          "Slack rejected the bot's token; set a new SLACK_BOT_TOKEN",
        )
      said = state.refused
      return TOKEN_CHECK.againMs
    }
  }
}
