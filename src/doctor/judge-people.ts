import type { SlackFacts } from "./facts.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"

/** Is there somebody to tell? */
export function judgeAdmins(admins: NonNullable<SlackFacts["admins"]>): Finding[] {
  if (admins.length === 0)
    return [
      warning(
        "admins",
        "ADMIN_USERS is empty: notices go to the log only, and nobody can resume a paused queue in Slack",
        "Set ADMIN_USERS to the Slack ids of one or two people (profile → ⋮ → Copy member ID).",
      ),
    ]
  const wrong = admins.flatMap(({ user, standing }) => {
    if (standing === "member") return []
    const next = "Correct ADMIN_USERS (profile → ⋮ → Copy member ID)."
    if (standing === "not_a_person")
      return [fault("admins", `ADMIN_USERS: ${user} is deactivated or an app`, next)]
    if (standing.code === "user_not_found")
      return [fault("admins", `ADMIN_USERS: ${user} is nobody in this workspace`, next)]
    return [
      warning(
        "admins",
        `ADMIN_USERS: Slack does not tell about ${user} (${standing.code})`,
        afterwards(standing.code),
      ),
    ]
  })
  return wrong.length > 0
    ? wrong
    : [ok("admins", `ADMIN_USERS: ${admins.length} found in the workspace`)]
}

/** Is the bot where people may ask? */
export function judgeChannels(channels: NonNullable<SlackFacts["channels"]>): Finding[] {
  if (channels.length === 0)
    return [ok("channels", "No setting names a channel: people may ask wherever the bot is")]
  const wrong = channels.flatMap(({ channel, setting, code }) => {
    if (code === undefined) return []
    if (code === "not_in_channel")
      return [
        fault(
          "channels",
          `${setting}: the bot is not in ${channel}`,
          "Type /invite @Docs Agent in that channel.",
        ),
      ]
    if (code === "channel_not_found")
      return [
        fault(
          "channels",
          `${setting}: ${channel} does not exist, or is private and without the bot`,
          "Type /invite @Docs Agent in it, or correct the id (channel details, at the bottom).",
        ),
      ]
    return [
      warning(
        "channels",
        `${setting}: Slack does not tell about ${channel} (${code})`,
        afterwards(code),
      ),
    ]
  })
  return wrong.length > 0
    ? wrong
    : [
        ok(
          "channels",
          `The bot is in ${channels.length === 1 ? "the channel that the settings name" : `all ${channels.length} channels that the settings name`}`,
        ),
      ]
}

function afterwards(code: string): string {
  return code === "missing_scope" ? "Mend the scopes first." : "Run the doctor again in a minute."
}
