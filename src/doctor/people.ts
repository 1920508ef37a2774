import type { WebClient } from "@slack/web-api"
import type { Config } from "../config/config.ts"
import { isChannelId, isUserId } from "../config/ids.ts"
import type { Identity } from "../slack/identity.ts"
import { fetchProfile } from "../slack/profiles.ts"
import { codeOf } from "../slack/verdict.ts"
import { type Finding, fault, NO_ID, ok, warning } from "./finding.ts"

export interface AdminFacts {
  user: string
  standing: "member" | "not_a_person" | { code: string }
}

export interface ChannelFacts {
  channel: string
  /** Where the channel is named. */
  setting: "ALLOWED_CHANNELS" | "DOCS_PROJECTS"
  /** What Slack said, unless the bot is in. */
  code?: string
}

export async function readAdmin(
  client: WebClient,
  home: Identity,
  user: string,
): Promise<AdminFacts> {
  if (!isUserId(user)) return { user, standing: NO_ID }
  const profile = await fetchProfile(client, home, user).catch(codeOf)
  if ("code" in profile) return { user, standing: profile }
  return { user, standing: profile.isBot ? "not_a_person" : "member" }
}

/** Every channel that the configuration names. */
export function namedChannels({ access, docs }: Config): ChannelFacts[] {
  const routed = docs.projects.flatMap(({ channels }) => [...channels])
  return [
    ...[...access.channels].map((channel) => ({ channel, setting: "ALLOWED_CHANNELS" as const })),
    ...routed
      .filter((channel) => !access.channels.has(channel))
      .map((channel) => ({ channel, setting: "DOCS_PROJECTS" as const })),
  ]
}

/**
 * Membership, by reading no message at all: that needs only the history permissions, which the bot
 * has anyway, while Slack's own lists of members need more.
 */
export async function readChannel(client: WebClient, named: ChannelFacts): Promise<ChannelFacts> {
  if (!isChannelId(named.channel)) return { ...named, ...NO_ID }
  const read = client.conversations.history({ channel: named.channel, limit: 1, latest: "1" })
  return { ...named, ...(await read.then(() => ({}), codeOf)) }
}

/** Is there somebody to tell? */
export function judgeAdmins(admins: readonly AdminFacts[]): Finding[] {
  if (admins.length === 0)
    return [
      warning(
        "admins",
        "ADMIN_USERS is empty: notices go only to the log, and nobody can resume a paused queue in Slack",
        "Set ADMIN_USERS to the Slack IDs of one or two people (profile → ⋮ → Copy member ID).",
      ),
    ]
  const wrong = admins.flatMap(judgeAdmin)
  return wrong.length > 0
    ? wrong
    : [ok("admins", `ADMIN_USERS: ${admins.length} found in the workspace`)]
}

function judgeAdmin({ user, standing }: AdminFacts): Finding | [] {
  if (standing === "member") return []
  const next = "Correct ADMIN_USERS (profile → ⋮ → Copy member ID)."
  if (standing === "not_a_person")
    return fault("admins", `ADMIN_USERS: ${user} is deactivated or an app`, next)
  const { code } = standing
  if (code === NO_ID.code) return fault("admins", `ADMIN_USERS: ${user} can't be a Slack ID`, next)
  if (code === "user_not_found")
    return fault("admins", `ADMIN_USERS: ${user} isn't in this workspace`, next)
  const says = `ADMIN_USERS: Slack couldn't look up ${user} (${code})`
  return warning("admins", says, afterwards(code))
}

/** Is the bot where people may ask? */
export function judgeChannels(
  channels: readonly ChannelFacts[],
  scopes: readonly string[],
): Finding[] {
  if (channels.length === 0)
    return [ok("channels", "No setting names a channel: people can ask wherever the bot is")]
  const everywhere = scopes.includes("chat:write.public")
  const wrong = channels.flatMap((channel) => judgeChannel(channel, everywhere))
  if (wrong.length > 0) return wrong
  const all =
    channels.length === 1
      ? "the channel that the settings name"
      : `all ${channels.length} channels that the settings name`
  return [ok("channels", `The bot is in ${all}`)]
}

/** @param everywhere may the bot post in public channels that it is not in */
function judgeChannel({ channel, setting, code }: ChannelFacts, everywhere: boolean): Finding | [] {
  if (code === undefined) return []
  if (code === NO_ID.code) {
    const next = "Use the channel's ID: click the channel's name and scroll to the end of About."
    return fault("channels", `${setting}: ${channel} can't be a channel ID`, next)
  }
  if (code === "not_in_channel" && everywhere) {
    const says = `${setting}: the bot isn't in ${channel} but can post there (chat:write.public)`
    return ok("channels", `${says}; invite it where it should hear mentions and read threads`)
  }
  if (code === "not_in_channel") {
    const next = "Type /invite @Docs Agent in that channel."
    return fault("channels", `${setting}: the bot isn't in ${channel}`, next)
  }
  if (code === "channel_not_found")
    return fault(
      "channels",
      `${setting}: ${channel} doesn't exist, or is private and the bot isn't in it`,
      "Type /invite @Docs Agent in it, or correct the ID (channel details, at the bottom).",
    )
  const says = `${setting}: Slack couldn't look up ${channel} (${code})`
  return warning("channels", says, afterwards(code))
}

function afterwards(code: string): string {
  return code === "missing_scope" ? "Fix the scopes first." : "Run the doctor again in a minute."
}
