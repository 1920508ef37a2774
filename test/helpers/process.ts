import { type ChildProcess, type StdioOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { homedir } from "node:os"
import { delimiter, dirname } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Listeners } from "../sandbox/kit/listeners.ts"
import { until } from "../sandbox/kit/until.ts"

/** Time limit in ms for a line: above any pause and start of the bot, below a test's own limit. */
const SAYS_WITHIN_MS = 120_000

export type Program = ReturnType<typeof watch>

/** Process of `node dist/main.js …`, started as an operator does. */
export interface BotProcess extends Program {
  readonly port: number
}

/** Starts a program of Node without waiting for anything. @param main absent: the built bot */
export function launch(args: string[], env: Record<string, string>, main = MAIN): Program {
  // Requests start without the usual delay for withdrawing them, on a port that is free.
  const usual = { PATH: process.env.PATH ?? "", START_DELAY_SECONDS: "0", PORT: "0" }
  const stdio: StdioOptions = ["ignore", "pipe", "pipe"]
  return watch(spawn(process.execPath, [main, ...args], { env: { ...usual, ...env }, stdio }))
}

/** Working folder, environment and user of a command line. */
export interface Place {
  cwd: string
  env: Record<string, string>
  /** User to run as, if the current user is root. */
  uid?: number
}

/** Starts the bot with a command line from the documents, and waits until it has started. */
export function startByCommand(command: string, place: Place): Promise<BotProcess> {
  return untilStarted(launchCommand(`exec ${command}`, place))
}

/**
 * Starts a command line as in a terminal. Disposal interrupts every process that it started.
 * @returns the program, with the first output that matches `like`
 */
export async function startInTerminal(command: string, place: Place, like: RegExp) {
  const program = launchCommand(command, { ...place, detached: true })
  const [read = ""] = like.exec(await program.says(like)) ?? []
  const interrupt = async () => {
    if (!program.isGone) process.kill(-program.pid, "SIGINT")
    await program.gone
  }
  return Object.assign(program, { read, [Symbol.asyncDispose]: interrupt })
}

/** Runs a command line from the documents to its end. */
export function runCommand(command: string, place: Place) {
  return untilEnded(launchCommand(command, place))
}

/** Runs the bot to its end. */
export function runBot(args: string[], env: Record<string, string>) {
  return untilEnded(launch(args, env))
}

async function untilEnded(program: Program) {
  const code = await program.gone
  return { code, output: program.output }
}

/** Resolves once a bot has logged that it has started. @throws Error if it ends first */
export async function untilStarted(program: Program): Promise<BotProcess> {
  const started = /"port":(\d+),(?:.*,)?"msg":"(?:started|not ready yet)"/
  const [, port] = started.exec(await program.says(started)) ?? []
  return Object.assign(program, { port: Number(port) })
}

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url))

function launchCommand(
  command: string,
  { env, ...place }: Place & { detached?: boolean },
): Program {
  // The Node that runs the tests, even if PATH lists another one first.
  const path = [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter)
  const all = { PATH: path, HOME: homedir(), ...env }
  return watch(
    spawn("sh", ["-c", command], { ...place, env: all, stdio: ["ignore", "pipe", "pipe"] }),
  )
}

/** Watches a running program, which disposal kills. */
function watch(child: ChildProcess) {
  const lines: string[] = []
  const changes = new Listeners<void>()
  let [output, isGone] = ["", false]
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data) => {
      output += String(data)
    })
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
    lines.push(line)
    changes.emit()
  })
  const gone = once(child, "close").then(([code]) => {
    isGone = true
    changes.emit()
    return code as number | null
  })
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return gone
  }
  const lastOutput = () => output.split("\n").slice(-50).join("\n")
  return {
    pid: child.pid ?? 0,
    /** Lines of standard output so far. */
    lines,
    /** Resolves to its exit code. */
    gone,
    get isGone() {
      return isGone
    },
    /** Everything that it has printed so far. */
    get output() {
      return output
    },
    kill,
    /**
     * Resolves to the first line of standard output that matches, already printed or still to come.
     * @throws Error with the last output after two minutes without a match, or once the program has ended
     */
    says: (pattern: RegExp): Promise<string> =>
      until(
        changes,
        () => {
          const found = lines.find((line) => pattern.test(line))
          if (found === undefined && isGone) throw new Error(`It ended:\n${lastOutput()}`)
          return found
        },
        () => `It didn't say ${pattern}:\n${lastOutput()}`,
        { timeoutMs: SAYS_WITHIN_MS },
      ),
    async [Symbol.asyncDispose]() {
      await kill("SIGKILL")
    },
  }
}
