import { parseArgs } from "node:util"
import { compose } from "./compose.ts"
import { ConfigError, readConfig, secretsOf, unreadEnvFile } from "./config/config.ts"
import { isInContainer, OWN_COMMAND, readVersion } from "./config/installation.ts"
import { createLog } from "./lib/log.ts"
import { printManifest } from "./manifest.ts"
import { FAULTS } from "./messages/fault-words.ts"
import { whyNotListening } from "./operating/doctor/check-port-and-data-folder.ts"
import { settingsInDoubt } from "./operating/doctor/check-settings.ts"
import { warnAtStart } from "./operating/doctor/warn-at-start.ts"
import { answerPause, type PauseCommand } from "./operating/resume-and-drop.ts"
import { type ProcessType, startProcess } from "./process.ts"
import { stopOnSignals } from "./shutdown.ts"
import { SlackError } from "./slack/slack-error.ts"
import { openStore } from "./store/embedded-redis.ts"
import { awayReason, awayRemedy, isStoreAway } from "./store/server-state.ts"

const TYPES: readonly ProcessType[] = ["web", "worker", "all"]
const USAGE = `${OWN_COMMAND} [all]     runs everything in one process
${OWN_COMMAND} web       receives what Slack sends; run one or more
${OWN_COMMAND} worker    starts and tracks jobs; run one or more
${OWN_COMMAND} doctor    checks the whole setup (--json prints JSON)
${OWN_COMMAND} resume    resumes every paused queue, as the admins' button does
${OWN_COMMAND} drop      cancels every queued request, then does the same
${OWN_COMMAND} manifest  prints the Slack app's manifest for Socket Mode, or for HTTP with --host HOST
${" ".repeat(OWN_COMMAND.length)}           (--agent: for an agent app)
${OWN_COMMAND} --version
--env-file=FILE reads settings from a file; those of the environment come first`

/** Runs the command in the arguments after `main.js`. If it fails, prints why and exits with 1. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    const { values: options, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
        json: { type: "boolean", default: false },
        agent: { type: "boolean" },
        host: { type: "string" },
        "env-file": { type: "string" },
      },
    })
    const file = options["env-file"]
    if (file !== undefined) readEnvFile(file)
    const [command = "all", more] = positionals
    const type = TYPES.find((one) => one === command)
    if (more !== undefined) throw new Error(`Unknown argument "${more}".\n${USAGE}`)
    if (command === "help" || options.help) process.stdout.write(`${USAGE}\n`)
    else if (options.version) process.stdout.write(`${readVersion()}\n`)
    else if (command === "doctor") await doctor(options)
    else if (command === "manifest") process.stdout.write(printManifest(options))
    else if (command === "resume" || command === "drop") await decide(command)
    else if (type) await run(type)
    else throw new Error(`Unknown command "${command}".\n${USAGE}`)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

/** Reads the file as Node's own option of that name does, which `npx` can't pass on. */
function readEnvFile(file: string): void {
  try {
    process.loadEnvFile(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const says = `Couldn't read ${file} (${code}). Give --env-file the path to your settings.`
    throw new Error(says, { cause: error })
  }
}

async function doctor(options: { json: boolean }): Promise<void> {
  const { runDoctor } = await import("./operating/doctor/run-doctor.ts")
  const { output, well } = await runDoctor(process.env, options)
  process.stdout.write(output)
  process.exitCode = well ? 0 : 1
}

/** Does what an admin's button does, for an operator without Slack. */
async function decide(command: PauseCommand): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog("silent", [])
  const store = await openStore(config.store, process.env.PATH, "all", log, () => {})
  const services = compose(config, log, store)
  try {
    process.stdout.write(await answerPause(command, services.front))
  } finally {
    await services[Symbol.asyncDispose]()
    await store.close()
  }
}

async function run(type: ProcessType): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel, secretsOf(config))
  for (const { says } of settingsInDoubt(config)) log.warn(says)
  const die = (reason: string, error?: unknown) => {
    log.fatal({ reason, error }, "exiting; the service manager should restart this process")
    process.exit(1)
  }
  process.on("unhandledRejection", (error) => die("unhandled rejection", error))
  const opening = openStore(config.store, process.env.PATH, type, log, die)
  // Without this wait, a redis-server that is still starting would outlive the process.
  let stop = async () => (await opening).close()
  stopOnSignals(log, () => stop())
  const store = await opening
  const services = compose(config, log, { ...store, dataDir: config.dataDir })
  const running = await startProcess(type, services, die).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  void warnAtStart(services)
  stop = async () => {
    await running.stop()
    await services[Symbol.asyncDispose]()
    await store.close()
  }
}

function tokenRefused(kind: "bot_token" | "app_token", code: string): string {
  const setup = { isInContainer: isInContainer(process.env) }
  const { is, next } = FAULTS[kind]
  return `${is(setup)} (${code}). ${next(setup)}`.replaceAll("`", "")
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError) return `${error.message}${unreadEnvFile(process.env, "all")}`
  if (error instanceof SlackError)
    return error.method === "apps.connections.open"
      ? tokenRefused("app_token", error.code)
      : tokenRefused("bot_token", error.code)
  if (isStoreAway(error)) return `${awayReason(error)}. ${awayRemedy(error)}`
  const code = "code" in error ? String(error.code) : ""
  // Node's other sentences explain arguments that begin with a dash, which the bot doesn't take.
  if (code.startsWith("ERR_PARSE_ARGS")) return `${error.message.split(/\.\s/)[0]}.\n${USAGE}`
  const deaf = whyNotListening(error)
  return deaf ? `${deaf.says}. ${deaf.next}` : error.message
}
