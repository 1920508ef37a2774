import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, resolve } from "node:path"
import type { Config } from "../config/config.ts"
import { type Finding, fault, ok } from "./finding.ts"

/** What this machine lets a bot do that is started here. */
export interface MachineFacts {
  /** Absent where any free port will do. `bot`: a bot of ours has it already. */
  port?: { number: number; state: "free" | "bot" | { code: string } }
  /** The folder of a redis-server of our own; absent where Redis is elsewhere. */
  data?: { dir: string; code?: string }
}

/** A bot on this machine answers at once. ms */
const ANSWER_WITHIN_MS = 2000

/** Listens for a moment and writes nothing. Never throws. */
export async function readMachine({ port, bindAddress, store }: Config): Promise<MachineFacts> {
  const [state, data] = await Promise.all([
    port === 0 ? undefined : readPort(port, bindAddress),
    store.kind === "embedded" ? readFolder(store.dataDir) : undefined,
  ])
  return { ...(state ? { port: { number: port, state } } : {}), ...(data ? { data } : {}) }
}

async function readPort(
  port: number,
  address: string | undefined,
): Promise<NonNullable<MachineFacts["port"]>["state"]> {
  const code = await listenOnce(port, address)
  if (code === undefined) return "free"
  return code === "EADDRINUSE" && (await isBot(port, address)) ? "bot" : { code }
}

function listenOnce(port: number, address: string | undefined): Promise<string | undefined> {
  const server = createServer()
  return new Promise((done) => {
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? "unknown"))
    server.listen(port, address, () => server.close(() => done(undefined)))
  })
}

async function isBot(port: number, address = "127.0.0.1"): Promise<boolean> {
  const host = address.includes(":") ? `[${address}]` : address
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await fetch(`http://${host}:${port}/healthz`, { signal, redirect: "error" })
    return answer.ok && (await answer.text()) === "alive\n"
  } catch {
    return false
  }
}

/** May something be written there? What does not exist yet is made in the folder above it. */
async function readFolder(dataDir: string): Promise<{ dir: string; code?: string }> {
  const dir = resolve(dataDir)
  for (let at = dir; ; at = dirname(at)) {
    const code = await access(at, constants.W_OK | constants.X_OK).then(() => undefined, codeOf)
    if (code === undefined) return { dir }
    if (code !== "ENOENT" || at === dirname(at)) return { dir, code }
  }
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? "unknown"
}

export function judgeMachine({ port, data }: MachineFacts): Finding[] {
  return [...(port ? [judgePort(port)] : []), ...(data ? [judgeFolder(data)] : [])]
}

function judgePort({ number, state }: NonNullable<MachineFacts["port"]>): Finding {
  if (state === "free") return ok("port", `Port ${number} is free`)
  if (state === "bot") return ok("port", `Port ${number} is in use by a running bot`)
  if (state.code === "EADDRINUSE")
    return fault(
      "port",
      `Port ${number} is taken by another program`,
      "Set PORT to a free one, or stop the other program.",
    )
  const next =
    state.code === "EACCES"
      ? "Set PORT above 1023, and let a proxy listen on 443."
      : "Set BIND_ADDRESS to an address of this machine, or leave it unset."
  return fault("port", `Port ${number} can't be used (${state.code})`, next)
}

function judgeFolder({ dir, code }: NonNullable<MachineFacts["data"]>): Finding {
  if (code === undefined) return ok("data folder", `DATA_DIR ${dir} is writable`)
  return fault(
    "data folder",
    `DATA_DIR ${dir} isn't writable (${code})`,
    "Set DATA_DIR to a folder that the bot's user can write to, or set REDIS_URL.",
  )
}
