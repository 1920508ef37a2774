import type { WebClient } from "@slack/web-api"
import { z } from "zod"
import type { SlackError } from "../errors/slack-error.ts"
import { TOKEN_CODES, toSlackError } from "./verdict.ts"

/** Who the bot is in its workspace. */
export interface Identity {
  team: string
  teamName: string
  enterprise: string | undefined
  user: string
  userName: string
  bot: string | undefined
  /** Of the workspace, ending in a slash. */
  url: string | undefined
  /** Scopes granted to the token. */
  scopes: readonly string[]
}

const authTest = z.object({
  team_id: z.string(),
  team: z.string().optional(),
  user_id: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  url: z.string().optional(),
  enterprise_id: z.string().optional(),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
})

/** @throws SlackError */
export async function fetchIdentity(client: WebClient): Promise<Identity> {
  try {
    const me = authTest.parse(await client.auth.test())
    return {
      team: me.team_id,
      teamName: me.team ?? me.team_id,
      enterprise: me.enterprise_id,
      user: me.user_id,
      userName: me.user ?? me.user_id,
      bot: me.bot_id,
      url: me.url,
      scopes: me.response_metadata?.scopes ?? [],
    }
  } catch (cause) {
    throw toSlackError("auth.test", cause)
  }
}

/** Is the token itself refused, so that waiting does not help? */
export function isTokenRefused(error: SlackError): boolean {
  return TOKEN_CODES.has(error.code)
}

/** A message's address, as "Copy link" gives it. */
export function permalink(
  identity: Identity | undefined,
  channel: string,
  ts: string,
): string | undefined {
  return identity?.url && `${identity.url}archives/${channel}/p${ts.replace(".", "")}`
}
