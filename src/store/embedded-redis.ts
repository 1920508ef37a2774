import { spawn } from "node:child_process"
import { constants, existsSync } from "node:fs"
import { access, mkdir, readlink, rm, symlink } from "node:fs/promises"
import { connect } from "node:net"
import { delimiter, dirname, join, resolve } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import type { Log } from "../lib/log.ts"
import { secret } from "../lib/secrets.ts"
import type { Address } from "./connect.ts"

export const INSTALL_REDIS =
  "install redis-server (Debian: apt-get install redis-server; macOS: brew install redis)"

/** Maximum wait in ms for the server, which may have to load a large file. */
const PATIENCE_MS = 30_000
const LOOK_MS = 20
/** Maximum wait in ms for an answer: a server whose disk stalls accepts connections and is silent. */
const ANSWER_MS = 2000

export type StoreConfig = Address | { kind: "embedded"; dataDir: string }

/**
 * Opens Redis for this process: the configured one, otherwise a redis-server of the bot's own.
 * @param onDead called if that redis-server ends
 * @throws Error that says how to get Redis if there is none
 */
export async function openStore(
  config: StoreConfig,
  path: string | undefined,
  type: string,
  log: Log,
  onDead: (reason: string) => void,
): Promise<{ address: Address; close: () => Promise<void> }> {
  if (config.kind !== "embedded") return { address: config, close: async () => {} }
  const binary = findRedisServer(path)
  if (!binary) throw new Error(`No Redis: set REDIS_URL, or ${INSTALL_REDIS}.`)
  // Web and worker may share the server; only a process that is both shuts it down when it ends.
  const isAlone = type === "all"
  const { dataDir } = config
  const socket = socketPath(dataDir)
  const data = resolve(dataDir)
  const isOurs = await startEmbeddedRedis(binary, dataDir)
  const until = isAlone ? "stops with this process" : "keeps running after this process stops"
  log.info(
    { data, stop: `redis-cli -s '${socket}' shutdown` },
    isOurs ? `started redis-server; it ${until}` : "using the redis-server that is already running",
  )
  const stopWatching = watchEmbedded(dataDir, onDead)
  return {
    address: { kind: "server", url: secret(socket) },
    close: () => stopWatching({ stopsServer: isAlone && isOurs }),
  }
}

export function socketPath(dataDir: string): string {
  return join(resolve(dataDir), "redis.sock")
}

export function findRedisServer(path: string | undefined): string | undefined {
  return (path ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "redis-server"))
    .find((file) => existsSync(file))
}

/**
 * Starts a redis-server on a private unix socket, or reuses the one that already runs on this
 * folder. It is a separate process with an append-only file, so that a crash of the bot loses no
 * data.
 * @returns true if this call started it
 * @throws Error if it does not start; its log file in the data directory says why
 */
async function startEmbeddedRedis(binary: string, dataDir: string): Promise<boolean> {
  const dir = resolve(dataDir)
  const unfit = await whyUnfit(dir)
  if (unfit) throw new Error(`${unfit.says}. ${unfit.next}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = socketPath(dir)
  const lock = join(dir, "starting.lock")
  const logfile = join(dir, "redis.log")
  let isLocked = false
  let ended: Promise<never> | undefined
  try {
    for (const late = performance.now() + PATIENCE_MS; ; ) {
      const found = await serverAt(path)
      const isLate = performance.now() > late
      // A large file takes longer to load. The server is there then, and its socket accepts
      // connections, so callers wait for it as for any Redis that is still loading.
      if (found === "here" || (found === "loading" && isLate)) return ended !== undefined
      if (isLate) break
      // A second redis-server would take over the first one's socket, and both would write the same
      // file. The process that gets the lock looks again before it launches one.
      if (found === "none" && !isLocked) isLocked = await takeLock(lock)
      else if (found === "none") ended ??= launch(binary, { dir, unixsocket: path, logfile })
      await Promise.race([delay(LOOK_MS), ...(ended ? [ended] : [])])
    }
  } finally {
    if (isLocked) await rm(lock, { force: true })
  }
  throw new Error(`redis-server didn't start in ${dir} within 30 s. See ${logfile}.`)
}

/**
 * Watches the server, in each process that uses it: the one that started it may be gone by then.
 * @param onDead called if it ends; the next start begins with its file
 * @returns a function that ends the watch, and the server if it should
 */
function watchEmbedded(dataDir: string, onDead: (reason: string) => void) {
  const watch = new Redis({ path: socketPath(dataDir), retryStrategy: () => null })
  watch.on("error", () => {})
  const log = join(resolve(dataDir), "redis.log")
  const end = () => onDead(`redis-server stopped. Its log is ${log}`)
  watch.once("end", end)
  return async ({ stopsServer }: { stopsServer: boolean }) => {
    watch.off("end", end)
    // A server that shuts down does not answer the command.
    if (stopsServer) await watch.shutdown().catch(() => {})
    watch.disconnect()
  }
}

/**
 * Takes the lock. Returns false while another running process holds it; a dead one loses it. A
 * symbolic link exists only with its target, the process's id, even after a crash.
 */
async function takeLock(file: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    const holder = Number(await readlink(file).catch(() => ""))
    // A container may give the next process the id of the one that died.
    if (holder > 0 && (holder === process.pid || !isRunning(holder)))
      await rm(file, { force: true })
    return false
  }
}

/** Returns whether a process runs, which signal 0 checks; EPERM means under another user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Launches a redis-server that outlives this process. Rejects if it ends before that. */
function launch(binary: string, files: Record<"dir" | "unixsocket" | "logfile", string>) {
  const settings = {
    ...files,
    port: "0",
    unixsocketperm: "700",
    // The append-only file holds everything. A failed snapshot would make Redis refuse every write.
    save: "",
    appendonly: "yes",
    appendfsync: "everysec",
    "maxmemory-policy": "noeviction",
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(binary, args, { detached: true, stdio: "ignore" })
  child.unref()
  return new Promise<never>((_, reject) => {
    child.once("error", reject)
    child.once("exit", (code) =>
      reject(new Error(`redis-server exited with code ${code}. See ${files.logfile}.`)),
    )
  })
}

/** Returns why a folder can't hold the server's data; undefined if it can, or can be made. */
export async function whyUnfit(dataDir: string) {
  const dir = resolve(dataDir)
  const path = socketPath(dir)
  const tooLong = `DATA_DIR is too long for a Unix socket: ${path}`
  if (path.length > 100) return { says: tooLong, next: "Set a shorter DATA_DIR." }
  let made = dir
  while (!existsSync(made)) made = dirname(made)
  const error = await access(made, constants.W_OK | constants.X_OK).catch(String)
  const says = `Docs Agent's own redis-server can't keep its data in ${dir}`
  const next = "Set DATA_DIR to a folder that Docs Agent can write to, or set REDIS_URL."
  return error && { says, next }
}

/**
 * Looks for a server on a socket. Any that accepts the connection counts, whatever it answers: with
 * a full disk (`MISCONF`), a long script (`BUSY`) or a password (`NOAUTH`) it still owns its file.
 */
export function serverAt(path: string): Promise<"none" | "loading" | "here"> {
  return new Promise((settle) => {
    const socket = connect(path)
    const answer = (found: "none" | "loading" | "here") => {
      socket.destroy()
      settle(found)
    }
    socket.setTimeout(ANSWER_MS, () => answer("here"))
    socket.once("connect", () => socket.write("PING\r\n"))
    socket.once("data", (reply) =>
      answer(String(reply).startsWith("-LOADING") ? "loading" : "here"),
    )
    socket.once("close", () => answer("here"))
    socket.once("error", ({ code }: NodeJS.ErrnoException) =>
      answer(isNobody(code) ? "none" : "here"),
    )
  })
}

/** Returns whether a failed connection proves that no process listens on the socket. */
function isNobody(code: string | undefined): boolean {
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR"
}
