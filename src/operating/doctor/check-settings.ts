import type { Config } from "../../config/config.ts"
import { about, type Finding } from "./finding.ts"

const { ok, warning } = about("settings")

/** Lists settings that nobody may have meant, though the bot can run with them. */
export function settingsInDoubt({ warnings, hasBothModes }: Config): Finding[] {
  const next = "Correct the name, or remove it; .github/SETTINGS.md explains each setting."
  const found = warnings.map((says) => warning(says, next))
  if (!hasBothModes) return found
  const both = warning(
    "SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Docs Agent uses Socket Mode",
    "Remove SLACK_APP_TOKEN to receive requests over HTTP, or SLACK_SIGNING_SECRET.",
  )
  return [...found, both]
}

/** Reports the settings: the bot refuses to start with invalid ones, so these are only in doubt. */
export function checkSettings(config: Config): Finding[] {
  const found = settingsInDoubt(config)
  if (config.access.admins.length === 0)
    found.push(
      warning(
        "ADMIN_USERS is empty: nobody gets notices in Slack; they are in the log and on /readyz",
        "Set ADMIN_USERS to the member IDs of one or two people (profile → ⋮ → Copy member ID).",
      ),
    )
  return found.length > 0 ? found : [ok("All settings are valid")]
}
