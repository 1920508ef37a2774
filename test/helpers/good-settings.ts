import { ConfigError, readConfig } from "../../src/config/config.ts"

/** Settings of a bot without a fault, as few as there can be. */
export const GOOD_SETTINGS = {
  SLACK_BOT_TOKEN: "xoxb-1",
  SLACK_SIGNING_SECRET: "s",
  DOCS_API_URL: "https://docs.example/api/",
  DOCS_API_KEY: "svc_1",
  DOCS_PROJECT_ID: "p1",
}

/** Returns what is wrong with these settings, as the start lists it. */
export function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}
