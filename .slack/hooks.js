/**
 * The hooks of the Slack CLI, so that `slack run` creates and installs the app and starts the bot with
 * its tokens. The CLI adds arguments of its own to some, which are left alone.
 */
import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

const MAIN = "dist/main.js"
const hook = process.argv[2]

if (hook === "get-hooks") {
  const hooks = {
    "get-manifest": "node .slack/hooks.js get-manifest",
    start: "node .slack/hooks.js start",
  }
  const config = { "protocol-version": ["default"], "sdk-managed-connection-enabled": true }
  console.log(JSON.stringify({ hooks, config, runtime: "node" }))
} else if (!existsSync(MAIN)) {
  console.error("The bot is not built yet. Run: npm ci && npm run build")
  process.exitCode = 1
} else if (hook === "get-manifest") {
  process.exitCode =
    spawnSync(process.execPath, [MAIN, "manifest"], { stdio: "inherit" }).status ?? 1
} else {
  start()
}

/** Values of the environment go before those of the file. With SANDBOX, the service is a local one. */
function start() {
  const { SLACK_CLI_XOXB, SLACK_CLI_XAPP, ...env } = process.env
  if (SLACK_CLI_XOXB) env.SLACK_BOT_TOKEN = SLACK_CLI_XOXB
  if (SLACK_CLI_XAPP) env.SLACK_APP_TOKEN = SLACK_CLI_XAPP
  const file = existsSync(".env") ? ["--env-file=.env"] : []
  const run = env.SANDBOX
    ? ["--import", "tsx", "test/sandbox/start.ts", "--slack"]
    : [...file, MAIN, "all"]
  const bot = spawn(process.execPath, run, { env, stdio: "inherit" })
  process.on("SIGTERM", () => bot.kill("SIGTERM"))
  // Ctrl-C reaches the bot by itself; a second one would cut its work short.
  process.on("SIGINT", () => {})
  bot.on("exit", (code) => {
    process.exitCode = code ?? 1
  })
}
