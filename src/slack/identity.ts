import type { WebClient } from "@slack/web-api"
import { z } from "zod"
import { SlackError } from "../errors/slack-error.ts"
import type { Log } from "../runtime/log.ts"
import { TOKEN_CODES, toSlackError } from "./verdict.ts"

/** The intervals at which the token is checked, ms: usually, and while Slack does not answer. */
const TOKEN_CHECK = { everyMs: 60_000, againMs: 5000 }

const authTest = z
  .object({
    team_id: z.string(),
    team: z.string().optional(),
    user_id: z.string(),
    user: z.string().optional(),
    bot_id: z.string().optional(),
    url: z.string().optional(),
    enterprise_id: z.string().optional(),
    response_metadata: z.object({ scopes: z.array(z.string()).default([]) }).prefault({}),
  })
  .transform((me) => ({
    team: me.team_id,
    teamName: me.team ?? me.team_id,
    enterprise: me.enterprise_id,
    user: me.user_id,
    userName: me.user ?? me.user_id,
    bot: me.bot_id,
    /** The URL of the workspace, ending in a slash. */
    url: me.url,
    /** Scopes granted to the token. */
    scopes: me.response_metadata.scopes,
  }))

/** The bot's identity in its workspace. */
export type Identity = z.output<typeof authTest>

/** @throws SlackError */
export async function fetchIdentity(client: WebClient): Promise<Identity> {
  try {
    return authTest.parse(await client.auth.test())
  } catch (cause) {
    throw toSlackError("auth.test", cause)
  }
}

/** A message's address, as "Copy link" gives it. */
export function permalink(
  identity: Identity | undefined,
  channel: string,
  ts: string,
  thread = ts,
): string | undefined {
  if (!identity?.url) return undefined
  const inThread = thread === ts ? "" : `?thread_ts=${thread}&cid=${channel}`
  return `${identity.url}archives/${channel}/p${ts.replace(".", "")}${inThread}`
}

/** Holds what is known about the bot's standing with Slack. @param ask asks Slack who the bot is */
export function createSlackState(ask: () => Promise<Identity>) {
  let identity: Identity | undefined
  let refused: string | undefined
  /** The time of Slack's last answer about it, by `performance.now()`. */
  let askedAt = Number.NEGATIVE_INFINITY

  /** Every call tells something about the token. @param outcome "ok", or Slack's code */
  function learn(outcome: string): void {
    if (outcome === "ok") refused = undefined
    else if (TOKEN_CODES.has(outcome)) refused = outcome
  }

  /** Asks Slack who the bot is. @throws SlackError */
  async function refresh(): Promise<Identity> {
    try {
      identity = await ask()
      askedAt = performance.now()
      learn("ok")
      return identity
    } catch (error) {
      if (error instanceof SlackError) learn(error.code)
      throw error
    }
  }

  return {
    get identity() {
      return identity
    },
    /** The code with which Slack last refused the token, if it does. */
    get refused() {
      return refused
    },
    learn,
    refresh,

    /**
     * Makes the pass that asks whether Slack still takes the token; one revoked by mistake may come back
     * to life. The log is told once when Slack begins to refuse it, whichever call was the first to hear,
     * and once when it knows the bot again. The pass resolves to how long to rest, ms.
     */
    tokenCheck(log: Log): () => Promise<number> {
      let said: string | undefined
      return async () => {
        const isFresh = askedAt + TOKEN_CHECK.everyMs > performance.now()
        if (identity && !refused && isFresh) return TOKEN_CHECK.everyMs
        const isNew = !identity
        try {
          const me = await refresh()
          if (isNew || said) log.info({ team: me.team, bot: me.user }, "signed in to Slack")
          said = undefined
          return TOKEN_CHECK.everyMs
        } catch (error) {
          if (!(error instanceof SlackError)) throw error
          if (refused && refused !== said)
            log.error(
              { code: refused },
              "Slack rejected the bot's token; set a new SLACK_BOT_TOKEN",
            )
          said = refused
          return TOKEN_CHECK.againMs
        }
      }
    },
  }
}
