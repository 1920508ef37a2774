import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { homedir } from "node:os"
import { delimiter, dirname } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** Time limit in ms for a log line: above any pause of the bot, below a test's own limit. */
const SAYS_WITHIN_MS = 60_000

/** Process of `node dist/main.js …`, started as an operator does. */
export interface BotProcess extends AsyncDisposable {
  readonly pid: number
  readonly port: number
  /** Lines of output so far. */
  readonly lines: readonly string[]
  /**
   * Resolves to the first matching line, already printed or still to come.
   * @throws Error with the last printed lines after a minute without a match
   */
  says(pattern: RegExp): Promise<string>
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts a program and waits until it logs that it has started.
 * @param main absent: the built bot
 * @throws Error with its output if it ends first
 */
export async function startBot(
  type: string,
  env: Record<string, string>,
  main = MAIN,
): Promise<BotProcess> {
  return untilStarted(launch([type], env, main))
}

/** Working folder, environment and user of a command line. */
export interface Place {
  cwd: string
  env: Record<string, string>
  /** User to run as, if the current user is root. */
  uid?: number
}

/** Starts the bot with a command line from the documents, and waits until it has started. */
export async function startByCommand(command: string, place: Place): Promise<BotProcess> {
  return untilStarted(launchCommand(`exec ${command}`, place))
}

/**
 * Starts a command line from the documents as in a terminal.
 * @returns the first output that matches `like`, and a function that interrupts every process
 */
export async function startInTerminal(
  command: string,
  place: Place,
  like: RegExp,
): Promise<{ read: string; interrupt(): Promise<unknown> }> {
  const { child, lines, gone } = launchCommand(command, { ...place, detached: true })
  const read = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
      lines.push(line)
      const [found] = like.exec(line) ?? []
      if (found) resolve(found)
    })
    void gone.then(() => reject(new Error(`it ended:\n${lines.join("\n")}`)))
  })
  return {
    read,
    interrupt() {
      process.kill(-(child.pid ?? 0), "SIGINT")
      return gone
    },
  }
}

/** Runs a command line from the documents to its end. */
export async function runCommand(
  command: string,
  place: Place,
): Promise<{ code: number | null; output: string }> {
  return untilEnded(launchCommand(command, place))
}

async function untilEnded({ child, lines, gone }: Launched) {
  child.stdout?.on("data", (data) => lines.push(String(data)))
  const code = await gone
  return { code, output: lines.join("") }
}

async function untilStarted({ child, lines, gone }: Launched): Promise<BotProcess> {
  const printed = createInterface({ input: child.stdout ?? process.stdin })
  const port = await new Promise<number>((resolve, reject) => {
    printed.on("line", (line) => {
      lines.push(line)
      const started = /"port":(\d+),(?:.*,)?"msg":"(?:started|not ready yet)"/.exec(line)
      if (started) resolve(Number(started[1]))
    })
    void gone.then(() => reject(new Error(`the bot ended:\n${lines.join("\n")}`)))
  })
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return gone
  }
  return {
    pid: child.pid ?? 0,
    port,
    lines,
    kill,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const settle = () => {
          clearTimeout(late)
          printed.off("line", look)
        }
        const late = setTimeout(() => {
          settle()
          reject(new Error(`the bot did not say ${pattern}:\n${lines.slice(-50).join("\n")}`))
        }, SAYS_WITHIN_MS)
        const look = (line: string) => {
          if (!pattern.test(line)) return
          settle()
          resolve(line)
        }
        printed.on("line", look)
        for (const line of lines) look(line)
      }),
    async [Symbol.asyncDispose]() {
      await kill("SIGKILL")
    },
  }
}

/** Starts the bot without waiting for anything. */
export function launchBot(
  type: string,
  env: Record<string, string>,
): Pick<BotProcess, "kill" | "lines"> {
  const { child, lines, gone } = launch([type], env)
  child.stdout?.on("data", (data) => lines.push(String(data)))
  return {
    lines,
    async kill(signal) {
      child.kill(signal)
      return gone
    },
  }
}

/** Runs the bot to its end. */
export async function runBot(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return untilEnded(launch(args, env))
}

interface Launched {
  child: ChildProcess
  lines: string[]
  gone: Promise<number | null>
}

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url))

function launch(args: string[], env: Record<string, string>, main = MAIN): Launched {
  // Requests start without the usual delay for withdrawing them, unless a test sets one.
  const all = { PATH: process.env.PATH ?? "", START_DELAY_SECONDS: "0", ...env }
  return watch(
    spawn(process.execPath, [main, ...args], { env: all, stdio: ["ignore", "pipe", "pipe"] }),
  )
}

function launchCommand(
  command: string,
  { env, ...place }: Place & { detached?: boolean },
): Launched {
  // The Node that runs the tests, even if PATH lists another one first.
  const path = [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter)
  const all = { PATH: path, HOME: homedir(), ...env }
  return watch(
    spawn("sh", ["-c", command], { ...place, env: all, stdio: ["ignore", "pipe", "pipe"] }),
  )
}

function watch(child: ChildProcess): Launched {
  const lines: string[] = []
  child.stderr?.on("data", (data) => lines.push(String(data)))
  const gone = once(child, "close").then(([code]) => code as number | null)
  return { child, lines, gone }
}
