import { settings } from "../../../../src/config/settings.ts"
import { CLEO } from "../../slack/seed/ids.ts"

/** What the test bed decides: where the bot, both other parties and the store are, and how the bot signs in. */
const TEST_BED_DECIDES =
  /^(?:SLACK_|GITHUB_|REDIS_URL$|DATA_DIR$|PORT$|BIND_ADDRESS$|DOCS_(?:API_URL|API_KEY|PROJECT_ID|PROJECTS|JOB_PATH|MESSAGE_PATH)$)/

/** A first look should not take a minute; each can be set to production's value. */
const LIVELY: Readonly<Record<string, string>> = {
  POLL_MIN_MS: "1000",
  POLL_MAX_MS: "5000",
  ADMIN_USERS: CLEO,
  LOG_LEVEL: "error",
}

/** The bot's settings for the sandbox: those of the environment, else lively ones. */
export function botEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const chosen = Object.keys(settings.shape)
    .filter((name) => !TEST_BED_DECIDES.test(name))
    .flatMap((name): [string, string][] => {
      const value = env[name]
      return value === undefined || value === "" ? [] : [[name, value]]
    })
  return { ...LIVELY, ...Object.fromEntries(chosen) }
}
