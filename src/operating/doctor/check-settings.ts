import type { Config } from "../../config/config.ts"
import { about, type Finding } from "./finding.ts"

const { ok, warning } = about("settings")

/** Reports settings that nobody may have meant but the bot can run with: it refuses the others. */
export function checkSettings({ warnings, access, hasBothModes }: Config): Finding[] {
  const next = "Correct the name, or remove it; .github/SETTINGS.md explains each setting."
  const found = warnings.map((says) => warning(says, next))
  if (access.admins.size === 0)
    found.push(
      warning(
        "ADMIN_USERS is empty: nobody gets notices in Slack, and nobody can resume a paused queue",
        "Set ADMIN_USERS to the member IDs of one or two people (profile → ⋮ → Copy member ID).",
      ),
    )
  if (hasBothModes)
    found.push(
      warning(
        "SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Docs Agent uses Socket Mode",
        "Remove SLACK_APP_TOKEN to receive requests over HTTP, or SLACK_SIGNING_SECRET.",
      ),
    )
  return found.length > 0 ? found : [ok("All settings are valid")]
}
