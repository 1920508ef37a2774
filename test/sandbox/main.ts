import { existsSync } from "node:fs"
import { startOwnSlack } from "./own-slack/start-own-slack.ts"
import { type CommandLine, HELP, readCommandLine } from "./workspace/start/command-line.ts"
import { whenRunnerIsGone } from "./workspace/start/runner.ts"
import { startSandbox } from "./workspace/start/start-sandbox.ts"

/** Time in ms within which signals are one Ctrl-C: the terminal and the runner both send it. */
const SAME_PRESS_MS = 1000

await main().catch((error: unknown) => {
  process.stderr.write(`${wordsOf(error)}\n`)
  process.exit(1)
})

async function main(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2))
  if (options.help) return print(HELP)
  await (options.slack ? inOwnSlack() : inBrowser(options))
}

async function inBrowser(options: CommandLine): Promise<void> {
  print("Starting…\n\n")
  const starting = startSandbox(options, process.env)
  onSignals(starting)
  const sandbox = await starting
  const mode = options.mode === "http" ? "signed HTTP requests" : "Socket Mode"
  print(`Docs Agent sandbox
  The bot runs as in production, over ${mode}.
  Data: ${sandbox.store}.
  \`npm run sandbox -- --help\` lists the options. Press Ctrl-C to stop.

Open ${sandbox.url}
`)
}

async function inOwnSlack(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env")
  const starting = startOwnSlack(process.env)
  onSignals(starting)
  const { who, store, gitHubUrl } = await starting
  print(`Docs Agent sandbox in your own Slack
  ${who} is connected, over Socket Mode. Its requests go to a documentation service and a GitHub
  on this machine: links in Slack open only here, under ${gitHubUrl}
  Data: ${store}.

In Slack, send /docs-agent fix the quickstart. Press Ctrl-C to stop.
`)
}

/** Stops everything on the first signal, even during startup; a second Ctrl-C exits immediately. */
function onSignals(starting: Promise<{ stop(): Promise<void> }>): void {
  let stoppingSince: number | undefined
  const handle = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_PRESS_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    starting
      .then((sandbox) => sandbox.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`Couldn't stop: ${wordsOf(error)}\n`)
          process.exit(1)
        },
      )
  }
  process.on("SIGINT", handle)
  process.on("SIGTERM", handle)
  // Closing the terminal would otherwise leave its redis-server running.
  process.on("SIGHUP", handle)
  whenRunnerIsGone(process.env, handle)
}

function print(text: string): void {
  process.stdout.write(text)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
