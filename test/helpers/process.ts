import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

/** One `node dist/main.js …` as an operator starts it. */
export interface BotProcess extends AsyncDisposable {
  readonly pid: number
  readonly port: number
  /** Everything it printed, a line each. */
  readonly lines: readonly string[]
  /** The first line that matches, printed already or still to come. */
  says(pattern: RegExp): Promise<string>
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts it and waits until it says that it is started. @throws Error with what it printed instead. */
export async function startBot(type: string, env: Record<string, string>): Promise<BotProcess> {
  const { child, lines, gone } = launch([type], env)
  const printed = createInterface({ input: child.stdout ?? process.stdin })
  const port = await new Promise<number>((resolve, reject) => {
    printed.on("line", (line) => {
      lines.push(line)
      const started = /"port":(\d+),"msg":"started"/.exec(line)
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
      new Promise((resolve) => {
        const look = (line: string) => {
          if (!pattern.test(line)) return
          printed.off("line", look)
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

/** Starts it and waits for nothing. */
export function launchBot(
  type: string,
  env: Record<string, string>,
): Pick<BotProcess, "kill" | "lines"> {
  const { child, lines, gone } = launch([type], env)
  return {
    lines,
    async kill(signal) {
      child.kill(signal)
      return gone
    },
  }
}

/** Runs it to its end. */
export async function runBot(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { child, lines, gone } = launch(args, env)
  child.stdout?.on("data", (data) => lines.push(String(data)))
  const code = await gone
  return { code, output: lines.join("") }
}

function launch(args: string[], env: Record<string, string>) {
  const main = new URL("../../dist/main.js", import.meta.url).pathname
  const child: ChildProcess = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const lines: string[] = []
  child.stderr?.on("data", (data) => lines.push(String(data)))
  const gone = once(child, "close").then(([code]) => code as number | null)
  return { child, lines, gone }
}
