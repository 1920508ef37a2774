import { spawn } from "node:child_process"
import { constants, existsSync } from "node:fs"
import { access, mkdir, readlink, rm, symlink } from "node:fs/promises"
import { delimiter, join, resolve } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"

export const INSTALL_REDIS =
  "install redis-server (Debian: apt-get install redis-server; macOS: brew install redis)"

/** Maximum wait in ms for the server, which may have to load a large file. */
const PATIENCE_MS = 30_000
const LOOK_MS = 20

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
export async function startEmbeddedRedis(binary: string, dataDir: string): Promise<boolean> {
  const dir = resolve(dataDir)
  await makeWritable(dir)
  const path = socketPath(dir)
  if (path.length > 100)
    throw new Error(`DATA_DIR is too long for a Unix socket: ${path}. Set a shorter DATA_DIR.`)
  const lock = join(dir, "starting.lock")
  const start = async () => {
    if (await answers(path)) return false
    // A second redis-server would take over the first one's socket, and both would write the same
    // file.
    if (!(await takeLock(lock))) return undefined
    try {
      if (await answers(path)) return false
      await launch(binary, dir, path)
      return true
    } finally {
      await rm(lock, { force: true })
    }
  }
  const busy = `Another process has been starting a redis-server in ${dir} for 30 s. Stop it, or set another DATA_DIR.`
  return patiently(start, busy)
}

/** Tries again until there is a result. @throws Error with these words if there is none in time */
async function patiently<T>(attempt: () => Promise<T | undefined>, words: string): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  while (performance.now() < end) {
    const result = await attempt()
    if (result !== undefined) return result
    await delay(LOOK_MS)
  }
  throw new Error(words)
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

async function launch(binary: string, dir: string, path: string): Promise<void> {
  const logfile = join(dir, "redis.log")
  const settings = {
    port: "0",
    unixsocket: path,
    unixsocketperm: "700",
    dir,
    // The append-only file holds everything. A failed snapshot would make Redis refuse every write.
    save: "",
    appendonly: "yes",
    appendfsync: "everysec",
    "maxmemory-policy": "noeviction",
    logfile,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(binary, args, { detached: true, stdio: "ignore" })
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject)
    child.once("exit", (code) =>
      reject(new Error(`redis-server exited with code ${code}. See ${logfile}.`)),
    )
  })
  const silent = `redis-server didn't start within 30 s. See ${logfile}.`
  await Promise.race([patiently(async () => (await answers(path)) || undefined, silent), failed])
  child.unref()
}

async function makeWritable(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await access(dir, constants.W_OK)
  } catch (cause) {
    throw new Error(
      `Docs Agent's own redis-server can't keep its data in ${dir}. Set DATA_DIR to a folder that Docs Agent can write to, or set REDIS_URL.`,
      { cause },
    )
  }
}

export async function answers(path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const probe = new Redis({ path, lazyConnect: true, retryStrategy: () => null })
  probe.on("error", () => {})
  try {
    await probe.connect()
    return (await probe.ping()) === "PONG"
  } catch {
    return false
  } finally {
    probe.disconnect()
  }
}
