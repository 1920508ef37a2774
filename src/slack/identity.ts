import { z } from "zod"
import type { Log } from "../lib/log.ts"
import type { SlackClient } from "./client.ts"
import { orSlackError, parseAnswer, SlackError, TOKEN_CODES } from "./slack-error.ts"

/** Intervals between token checks: usually, and after a failed check. */
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
    /** URL of the workspace, with a trailing slash. */
    url: me.url,
    scopes: me.response_metadata.scopes,
  }))

export type Identity = z.output<typeof authTest>

export async function fetchIdentity(client: SlackClient): Promise<Identity> {
  return parseAnswer("auth.test", authTest, await client.auth.test())
}

export type SlackState = ReturnType<typeof createSlackState>

/** Keeps the bot's identity and whether Slack accepts its token. @param ask asks Slack for it */
export function createSlackState(ask: () => Promise<Identity>) {
  let identity: Identity | undefined
  let refused: string | undefined

  async function refresh(): Promise<Identity> {
    identity = await ask()
    return identity
  }

  return {
    get identity() {
      return identity
    },
    get refused() {
      return refused
    },
    refresh,

    /** Returns the bot's identity; asks Slack until it has answered once. @throws SlackError */
    whoWeAre: async () => identity ?? refresh(),

    // "Declaring an app as an agent adds the assistant:write scope to it" (Agent sessions).
    isDeclared: () => identity?.scopes.includes("assistant:write") ?? false,

    permalink: (channel: string, ts: string, thread = ts): string | undefined => {
      if (!identity?.url) return undefined
      const inThread = thread === ts ? "" : `?thread_ts=${thread}&cid=${channel}`
      return `${identity.url}archives/${channel}/p${ts.replace(".", "")}${inThread}`
    },

    learn(outcome: string): void {
      if (outcome === "ok") refused = undefined
      else if (TOKEN_CODES.has(outcome)) refused = outcome
    },

    /**
     * Makes the pass that checks the token; one revoked by mistake may work again later. Logs once
     * when Slack begins to refuse it, whichever call noticed first, and once when Slack accepts it.
     * The first pass asks only if Slack hasn't named the bot yet: the start has just asked.
     */
    tokenCheck(log: Log, next: string): () => Promise<number> {
      let said: string | undefined
      let isFresh = identity !== undefined
      return async () => {
        if (isFresh) {
          isFresh = false
          return TOKEN_CHECK.everyMs
        }
        const isNews = !identity || said !== undefined
        const me = await refresh().catch(orSlackError)
        const isRefused = me instanceof SlackError
        if (!isRefused && isNews) log.info({ team: me.team, bot: me.user }, "signed in to Slack")
        if (isRefused && refused && refused !== said)
          log.error({ code: refused, next }, "Slack rejected SLACK_BOT_TOKEN")
        said = refused
        return isRefused ? TOKEN_CHECK.againMs : TOKEN_CHECK.everyMs
      }
    },
  }
}
