import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, unlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { z } from "zod"
import { parseJson } from "../lib/json.ts"

/** Redis data by its id, and until when, by Redis's clock, this file has seen all of it. */
const markShape = z.object({ id: z.string(), at: z.number() })
export type Mark = z.infer<typeof markShape>

/** First line: the file's own id, and the last few Redis that its workers used, newest first. */
const headShape = z.object({ file: z.string(), marks: z.array(markShape) })
type Head = z.infer<typeof headShape>

const sentShape = z.object({
  queue: z.string(),
  /** Name of the attempt in the rolling-hour log: see `slotOf`. */
  slot: z.string(),
  job: z.string(),
  /** Round of the job, which never goes out twice by itself. */
  round: z.string(),
  /** Latest possible arrival at the service, in ms by Redis's clock. */
  at: z.number(),
})
/** Creation or message that was handed to the service. */
export type Sent = z.infer<typeof sentShape>

/** Names an attempt that had no effect after all, so that its request may be sent. */
const backShape = z.object({ back: z.string() })

/** Time in ms for which sent requests are known, longer than the hour: backups are often daily. */
export const KNOWN_MS = 26 * 3_600_000
/** Name, in Redis, of all workers that cannot write their file; each forgets all when it stops. */
const NO_FILE = "none"
/** Number of Redis in the head: one that was lost may come back from a backup. */
const MAX_MARKS = 4
/** Size of the head in bytes. It is overwritten in place, so it always has the same length. */
const HEAD_BYTES = 400
/** Interval in ms at which old lines are dropped: they name people by their IDs. */
const TRIM_MS = 3_600_000
/** Size from which old lines are dropped: twice a day of 99 creations an hour. */
const MAX_BYTES = 768 * 1024

/**
 * Remembers outside of Redis, in one file of `DATA_DIR`, when this machine's workers last looked
 * at Redis and what they sent. So a Redis that comes back older is known for a restored backup, and
 * nothing that went to the service goes a second time. All workers of the folder share the file.
 */
export class OutsideMemory {
  readonly #path: string | undefined
  readonly #onFailed: (error: unknown) => void
  #trimmedAt = 0
  /** Copy of the head, in case there is no file. */
  #kept: Head = { file: NO_FILE, marks: [] }

  /** @param onFailed called if the folder isn't writable: then only running workers know */
  constructor(dataDir: string | undefined, onFailed: (error: unknown) => void) {
    this.#path = dataDir === undefined ? undefined : join(dataDir, "sent.log")
    this.#onFailed = onFailed
  }

  /** Records that this attempt is about to be sent. */
  async sending(sent: Sent): Promise<void> {
    await this.#guarded((path) => this.#append(path, sent))
  }

  /** Records that the attempt had no effect. */
  async hadNoEffect(slot: string): Promise<void> {
    await this.#guarded((path) => this.#append(path, { back: slot }))
  }

  /** Records that everything in this Redis is known until `at`. */
  async mark(mark: Mark): Promise<void> {
    this.#kept = { ...this.#kept, marks: [mark] }
    await this.#guarded((path) => this.#writeMark(path, mark))
  }

  /** Reads the head. */
  async head(): Promise<Head> {
    const read = async (path: string) => {
      await using handle = await this.#opened(path)
      return this.#headOf(handle)
    }
    return (await this.#guarded(read)) ?? this.#kept
  }

  /** Reads what was sent, without what had no effect. */
  async sent(now: number): Promise<Sent[]> {
    const text = (await this.#guarded((path) => readFile(path, "utf8").catch(noFile))) ?? ""
    return parsed(text).sent.filter(({ at }) => at + KNOWN_MS > now)
  }

  /** Does the work if there is a folder; it may fail without harm to the bot. */
  async #guarded<T>(work: (path: string) => Promise<T>): Promise<T | undefined> {
    try {
      return this.#path === undefined ? undefined : await work(this.#path)
    } catch (error) {
      this.#onFailed(error)
      return undefined
    }
  }

  async #opened(path: string): Promise<FileHandle> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const handle = await open(path, "a+", 0o600)
    if ((await handle.stat()).size === 0)
      await handle.appendFile(headLine({ ...this.#kept, file: randomUUID() }))
    return handle
  }

  async #headOf(handle: FileHandle): Promise<Head> {
    const first = Buffer.alloc(HEAD_BYTES)
    await handle.read(first, 0, HEAD_BYTES, 0)
    return parsed(first.toString()).head ?? this.#kept
  }

  /** Appends a line; again if another process has replaced the file meanwhile. */
  async #append(path: string, fact: object): Promise<void> {
    for (;;) {
      await using handle = await this.#opened(path)
      await handle.appendFile(`${JSON.stringify(fact)}\n`)
      await handle.datasync()
      const [own, now] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
      if (own.ino === now?.ino) return
    }
  }

  async #writeMark(path: string, mark: Mark): Promise<void> {
    await (await this.#opened(path)).close()
    await using handle = await open(path, "r+")
    const head = await this.#headOf(handle)
    const others = head.marks.filter(({ id }) => id !== mark.id)
    this.#kept = { ...head, marks: [mark, ...others].slice(0, MAX_MARKS) }
    await handle.write(headLine(this.#kept), 0)
    const isLarge = (await handle.stat()).size > MAX_BYTES
    if (!isLarge && Math.abs(mark.at - this.#trimmedAt) < TRIM_MS) return
    this.#trimmedAt = mark.at
    await this.#trim(path, handle, mark.at)
  }

  /**
   * Drops old lines, at a large size or every hour. Keeps what others append meanwhile. Only one
   * worker does so at a time: the new file, which only one can create, is the lock.
   */
  async #trim(path: string, handle: FileHandle, now: number): Promise<void> {
    const text = await handle.readFile("utf8")
    const { head, sent } = parsed(text)
    const left = sent
      .filter(({ at }) => at + KNOWN_MS > now)
      .map((one) => `${JSON.stringify(one)}\n`)
    // One line is the head.
    if (text.split("\n").length - 2 === left.length) return
    const next = `${path}.next`
    const written = await open(next, "ax", 0o600).catch(orTaken)
    if (!written) return removeLeft(next)
    await using _closing = written
    // Another worker has replaced the file since this one opened it.
    if ((await handle.stat()).ino !== (await stat(path)).ino) return unlink(next)
    await written.appendFile(`${headLine(head ?? this.#kept)}${left.join("")}`)
    await rename(next, path)
    // Takes over the lines that reached the old file; a later writer looks again.
    await written.appendFile(await handle.readFile("utf8"))
  }
}

/** @returns undefined if another worker has created the file */
function orTaken(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EEXIST") throw error
}

/** Removes a new file that a crash left, so that the next trim can create one. */
async function removeLeft(next: string): Promise<void> {
  const left = await stat(next).catch(() => undefined)
  if (left && Date.now() - left.mtimeMs > TRIM_MS) await rm(next, { force: true })
}

function noFile(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return ""
  throw error
}

function headLine(head: Head): string {
  return `${JSON.stringify(head).padEnd(HEAD_BYTES - 1)}\n`
}

/** Parses the file; skips lines of others, and half a line that a crash left. */
function parsed(text: string): { head: Head | undefined; sent: Sent[] } {
  const lines = text.split("\n").map((line) => parseJson(line))
  const sent = new Map<string, Sent>()
  for (const line of lines) {
    const back = backShape.safeParse(line).data
    const attempt = sentShape.safeParse(line).data
    if (back) sent.delete(back.back)
    else if (attempt) sent.set(attempt.slot, attempt)
  }
  const head = headShape.safeParse(lines[0]).data
  return { head, sent: [...sent.values()] }
}
