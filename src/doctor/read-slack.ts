import type { WebClient } from "@slack/web-api"
import { SlackError } from "../slack/errors.ts"
import { fetchIdentity, type Identity } from "../slack/identity.ts"
import { fetchProfile } from "../slack/profiles.ts"
import { toSlackError } from "../slack/verdict.ts"
import type { ChannelSetting, IntakeFacts, SlackFacts } from "./facts.ts"

/** Asks Slack about the bot, the people and the places it is configured with. Never throws. */
export async function readSlack(
  client: WebClient,
  admins: ReadonlySet<string>,
  places: readonly { channel: string; setting: ChannelSetting }[],
  intake: () => Promise<IntakeFacts>,
): Promise<SlackFacts> {
  const [me, taking] = await Promise.all([codeOr(() => fetchIdentity(client)), intake()])
  if ("code" in me) return { token: me, intake: taking }
  const [people, channels] = await Promise.all([
    Promise.all([...admins].map((user) => readPerson(client, me, user))),
    Promise.all(
      places.map(async (place) => ({ ...place, ...(await readChannel(client, place.channel)) })),
    ),
  ])
  const token = { team: me.team, bot: me.user }
  return { token, scopes: me.scopes, intake: taking, admins: people, channels }
}

/** Asks for a Socket Mode connection and does not open it. @param client made with the app token */
export async function readSocketMode(client: WebClient): Promise<IntakeFacts> {
  const opened = await codeOr(async () => {
    await call("apps.connections.open", () => client.apps.connections.open())
    return {}
  })
  return { mode: "socket", ...opened }
}

async function readPerson(
  client: WebClient,
  home: Identity,
  user: string,
): Promise<NonNullable<SlackFacts["admins"]>[number]> {
  const profile = await codeOr(() => fetchProfile(client, home, user))
  if ("code" in profile) return { user, standing: profile }
  return { user, standing: profile.isBot ? "not_a_person" : "member" }
}

/**
 * Membership, by reading no message at all: that needs only the history permissions, which the bot
 * has anyway, while Slack's own lists of members need more.
 */
function readChannel(client: WebClient, channel: string): Promise<{ code?: string }> {
  const read = () => client.conversations.history({ channel, limit: 1, latest: "1" })
  return codeOr(async () => {
    await call("conversations.history", read)
    return {}
  })
}

async function call(method: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (cause) {
    throw toSlackError(method, cause)
  }
}

async function codeOr<T extends object>(ask: () => Promise<T>): Promise<T | { code: string }> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof SlackError) return { code: error.code }
    throw error
  }
}
