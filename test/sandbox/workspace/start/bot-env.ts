import { settings } from "../../../../src/config/environment-variables.ts"
import { CLEO } from "../../slack/index.ts"

/** Settings that only the test bed sets: addresses and credentials of the bot and its services. */
const TEST_BED_DECIDES =
  /^(?:SLACK_|GITHUB_|REDIS_URL$|DATA_DIR$|PORT$|BIND_ADDRESS$|DOCS_(?:API_URL|API_KEY|PROJECT_ID|PROJECTS|JOB_PATH|MESSAGE_PATH)$)/

/** Faster settings, so that a first try doesn't take a minute; the environment overrides them. */
const LIVELY: Readonly<Record<string, string>> = {
  POLL_MIN_MS: "1000",
  POLL_MAX_MS: "5000",
  ADMIN_USERS: CLEO,
  LOG_LEVEL: "error",
}

/** Returns the bot's settings for the sandbox: those of the environment, else faster ones. */
export function botEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const chosen = Object.keys(settings.shape)
    .filter((name) => !TEST_BED_DECIDES.test(name))
    .flatMap((name): [string, string][] => {
      const value = env[name]
      return value === undefined || value === "" ? [] : [[name, value]]
    })
  return { ...LIVELY, ...Object.fromEntries(chosen) }
}
