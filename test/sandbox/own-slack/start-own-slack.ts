import { readConfig, secretsOf } from "../../../src/config/config.ts"
import { createLog } from "../../../src/lib/log.ts"
import { startBot } from "../start-bot.ts"
import { SECRETS, startDocsAndGitHub } from "../test-bed.ts"
import { botEnv } from "../workspace/start/bot-env.ts"
import { openSandboxStore } from "../workspace/start/sandbox-store.ts"
import { PLAN, PULL_LOOKS } from "../workspace/start/start-sandbox.ts"

type Env = Readonly<Record<string, string | undefined>>

/**
 * Repository of the local service. Every link to a pull request shows its name, so it says where that
 * page is: on the loopback interface of the machine with the sandbox.
 */
const REPOSITORY = "on-the-sandbox-machine/docs"

/**
 * Starts the bot in one's own Slack workspace, with the local service and GitHub. It takes
 * Slack's tokens from the environment and no other secret or address: a `.env` may be that of a real installation.
 * @throws Error if a token is missing
 */
export async function startOwnSlack(env: Env) {
  const tokens = slackTokens(env)
  const { docs, github } = await startDocsAndGitHub({
    docs: {
      projects: [{ id: SECRETS.project, key: SECRETS.apiKey, repository: REPOSITORY }],
    },
  })
  docs.planAll(PLAN)
  const endings: (() => Promise<unknown>)[] = [() => docs.close(), () => github.close()]
  const stop = async () => {
    for (const ending of endings.toReversed()) await ending()
  }
  try {
    // Nobody in the workspace has the ID of the local Slack's admin.
    const { ADMIN_USERS, ...settings } = botEnv({ ADMIN_USERS: undefined, ...env })
    const config = readConfig({
      ...settings,
      ...tokens,
      ...(env.ADMIN_USERS ? { ADMIN_USERS } : {}),
      DOCS_API_URL: docs.url,
      DOCS_PROJECTS: JSON.stringify([
        { name: "Sandbox", id: SECRETS.project, key: SECRETS.apiKey },
      ]),
      GITHUB_TOKEN: SECRETS.gitHubToken,
      GITHUB_API_URL: github.apiUrl,
      PORT: "0",
      BIND_ADDRESS: "127.0.0.1",
    })
    const log = createLog(config.logLevel, secretsOf(config))
    const where = { PATH: env.PATH, DATA_DIR: env.DATA_DIR }
    const store = await openSandboxStore(where, "slack", log)
    endings.push(() => store.close())
    const timing = { pulls: PULL_LOOKS }
    const { address, dataDir } = store
    const bot = await startBot(config, log, { address, dataDir, timing })
    endings.push(() => bot.stop())
    // Name and workspace of the bot in Slack, for people.
    const { user = "The bot", team } = bot.services.slack.state.identity ?? {}
    return { who: `${user} in ${team ?? "Slack"}`, store: store.words, gitHubUrl: github.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reads the tokens of `.env`, or those that `slack run` hands over. @throws Error without them */
function slackTokens(env: Env): Record<string, string> {
  const SLACK_BOT_TOKEN = env.SLACK_CLI_XOXB || env.SLACK_BOT_TOKEN
  const SLACK_APP_TOKEN = env.SLACK_CLI_XAPP || env.SLACK_APP_TOKEN
  if (!SLACK_BOT_TOKEN || !SLACK_APP_TOKEN)
    throw new Error(
      "--slack needs SLACK_BOT_TOKEN and SLACK_APP_TOKEN of an app of its own: put them into .env (README, step 3), or run SANDBOX=1 slack run.",
    )
  const { SLACK_API_URL } = env
  return { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, ...(SLACK_API_URL ? { SLACK_API_URL } : {}) }
}
