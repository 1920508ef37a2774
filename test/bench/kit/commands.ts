import type { Redis } from "ioredis"
import { cachedProfiles } from "../../../src/redis/people/profiles.ts"
import { signatureHeaders } from "../../sandbox/slack/delivery/signature.ts"
import { DOCS, TEAM } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

/** Prompts as people type them: about 200 characters, no two alike. */
export function promptOf(n: number): string {
  return `Page ${n} of the webhooks guide still describes retries with the old five minute delay. Please say that deliveries are retried for a day, add the header that carries the attempt, and link to the reference.`
}

export function people(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `U${String(n).padStart(9, "0")}`)
}

export interface Signed {
  headers: Record<string, string>
  body: string
}

/** Slash commands as Slack sends them, by people in turn; no two of them alike in any round. */
export function commands(count: number, who: readonly string[], round: number): Signed[] {
  return Array.from({ length: count }, (_, n) => {
    const id = round * count + n
    return signed(promptOf(id), who[n % who.length] ?? "", String(id))
  })
}

/** One signed slash command. */
export function signed(text: string, user: string, id: string): Signed {
  const body = new URLSearchParams({
    token: "no-longer-checked",
    team_id: TEAM,
    team_domain: "local-docs",
    channel_id: DOCS,
    channel_name: "docs",
    user_id: user,
    user_name: user.toLowerCase(),
    command: "/docs-agent",
    text,
    api_app_id: "A0DOCSAGENT",
    is_enterprise_install: "false",
    response_url: `http://127.0.0.1:9/commands/${TEAM}/${id}/0a1b2c3d4e5f6a7b8c9d0e1f`,
    trigger_id: `${id}.2141029472.691e462f79379679`,
  }).toString()
  const now = Math.floor(Date.now() / 1000)
  const type = { "content-type": "application/x-www-form-urlencoded" }
  return { body, headers: { ...type, ...signatureHeaders(SECRETS.signingSecret, now, body) } }
}

/** As after anyone's first command: the bot knows these people and asks Slack about none of them. */
export async function rememberProfiles(redis: Redis, who: readonly string[]): Promise<void> {
  const source = async (user: string) => ({
    user,
    name: `Person ${user}`,
    team: TEAM,
    isGuest: false,
    isStranger: false,
    isBot: false,
    timeZone: "Europe/Paris",
  })
  const { patiently } = cachedProfiles(redis, source, { withinMs: 1000 })
  await Promise.all(who.map(patiently))
}
