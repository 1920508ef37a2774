import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import { request } from "undici"
import { freePort } from "../../helpers/redis-server.ts"
import { signed } from "./commands.ts"

/** A program under measurement, in a process of its own. */
export interface Program extends AsyncDisposable {
  readonly pid: number
  /** Where Slack delivers to it. */
  readonly url: string
  /** From its launch until it was of use, ms. */
  readonly readyMs: number
}

export const BOT = new URL("../../../dist/main.js", import.meta.url).pathname
export const BARE_BOLT = new URL("../reference/bolt-app.js", import.meta.url).pathname

/** Launches it on a free port and waits until it is of use. @throws Error when it ends instead. */
export async function launch(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: (origin: string) => Promise<boolean>,
): Promise<Program> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const launched = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? "", PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const gone = once(child, "exit")
  // Somebody reads the log in production too.
  child.stdout.resume()
  while (!(await isReady(origin).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`)
    await delay(2)
  }
  return {
    pid: child.pid ?? 0,
    url: `${origin}/slack/events`,
    readyMs: performance.now() - launched,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await gone
    },
  }
}

/** It answers a signed command. */
export async function answersSlack(origin: string): Promise<boolean> {
  const { headers, body } = signed("help", "U000000000", "ready")
  const answer = await request(`${origin}/slack/events`, { method: "POST", headers, body })
  await answer.body.dump()
  return answer.statusCode === 200
}

/** It says so itself. */
export async function saysReady(origin: string): Promise<boolean> {
  const answer = await request(`${origin}/readyz`)
  await answer.body.dump()
  return answer.statusCode === 200
}
