import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { parseAs, parseJson } from "../lib/json.ts"
import { HOUR_MS } from "../lib/time.ts"
import type { OnBroken } from "../store/records.ts"

/** Redis data by its id, and until when, by Redis's clock, this folder has seen all of it. */
const markShape = z.object({ id: z.string(), at: z.number() })
export type Mark = z.infer<typeof markShape>

/** File `marks`: the folder's own id, and the last few Redis that its workers used, newest first. */
const headShape = z.object({ file: z.string(), marks: z.array(markShape) })
type Head = z.infer<typeof headShape>

/** Version of a line in a file of an hour. */
const v = z.literal(1)

const sentShape = z.object({
  v,
  queue: z.string(),
  /** Token of its grant, and the person whose turn it used: its slot in the hour names both. */
  token: z.string(),
  turnOf: z.string(),
  job: z.string(),
  /** Round of the job, which never goes out twice by itself. */
  round: z.string(),
  /** Latest possible arrival at the service, in ms by Redis's clock. */
  at: z.number(),
})
/** Attempt that was handed to the service. */
export type Sent = Omit<z.infer<typeof sentShape>, "v">

/** Names an attempt that had no effect after all, so that its request may be sent. */
const backShape = z.object({ v, back: z.string() })
const lineShape = z.union([backShape, sentShape])

/** Time in ms for which sent requests are known, longer than the hour: backups are often daily. */
export const KNOWN_MS = 26 * HOUR_MS
/** Name, in Redis, of all workers that cannot write their files; each forgets all when it stops. */
const NO_FILE = "none"
/** Number of Redis in the head: one that was lost may come back from a backup. */
const MAX_MARKS = 4
/** Size of the head in bytes. It is overwritten in place, so it always has the same length. */
const HEAD_BYTES = 400

/**
 * Remembers outside of Redis, in a folder of `DATA_DIR`, when this machine's workers last looked
 * at Redis and what they sent. So a Redis that comes back older is known for a restored backup, and
 * nothing that went to the service goes a second time. All workers of the machine share the folder:
 * each only adds to the file of an hour, which is deleted as a whole once it is old.
 */
export class OutsideMemory {
  readonly #folder: string | undefined
  readonly #onFailed: (error: unknown) => void
  readonly #onBroken: OnBroken
  /** Hour in which this worker has deleted the old files. */
  #tidiedIn = Number.NaN
  /** Copy of the head, in case there is no file. */
  #kept: Head = { file: NO_FILE, marks: [] }

  /**
   * @param onFailed called if the folder isn't writable: then only running workers know
   * @param onBroken called for a line that another version wrote
   */
  constructor(dataDir: string | undefined, onFailed: (error: unknown) => void, onBroken: OnBroken) {
    this.#folder = dataDir === undefined ? undefined : join(dataDir, "sent")
    this.#onFailed = onFailed
    this.#onBroken = onBroken
  }

  /** Records that this attempt is about to be sent. */
  async sending(sent: Sent): Promise<void> {
    await this.#guarded((folder) => append(folder, sent.at, { v: v.value, ...sent }))
  }

  /** Records that the attempt had no effect. */
  async hadNoEffect({ token, at }: Pick<Sent, "token" | "at">): Promise<void> {
    await this.#guarded((folder) => append(folder, at, { v: v.value, back: token }))
  }

  /** Records that everything in this Redis is known until `at`. */
  async mark(mark: Mark): Promise<void> {
    this.#kept = { ...this.#kept, marks: [mark] }
    await this.#guarded(async (folder) => {
      const head = await this.#readHead(folder)
      const others = head.marks.filter(({ id }) => id !== mark.id)
      this.#kept = { ...head, marks: [mark, ...others].slice(0, MAX_MARKS) }
      await using handle = await open(marksIn(folder), "r+")
      await handle.write(headLine(this.#kept), 0)
      await this.#tidy(folder, mark.at)
    })
  }

  /** Reads the head. */
  async head(): Promise<Head> {
    return (await this.#guarded((folder) => this.#readHead(folder))) ?? this.#kept
  }

  /** Reads what was sent, without what had no effect. */
  async sent(now: number): Promise<Sent[]> {
    const read = async (folder: string) => {
      const names = (await readdir(folder).catch(ifAbsent)) ?? []
      const ofHours = names.filter((name) => name.endsWith(".log"))
      return Promise.all(ofHours.map((name) => this.#sentIn(join(folder, name))))
    }
    const sent = (await this.#guarded(read)) ?? []
    return sent.flat().filter(({ at }) => at + KNOWN_MS > now)
  }

  /** Reads the lines of a file; passes over half a line that a crash left. */
  async #sentIn(file: string): Promise<Sent[]> {
    const text = (await readFile(file, "utf8").catch(ifAbsent)) ?? ""
    const sent = new Map<string, Sent>()
    for (const json of text.split("\n").map((line) => parseJson(line))) {
      if (json === undefined) continue
      const line = lineShape.safeParse(json)
      if (line.error) this.#onBroken(file, line.error)
      else if ("back" in line.data) sent.delete(line.data.back)
      else sent.set(line.data.token, line.data)
    }
    return [...sent.values()]
  }

  /** Does the work if there is a folder; it may fail without harm to the bot. */
  async #guarded<T>(work: (folder: string) => Promise<T>): Promise<T | undefined> {
    try {
      return this.#folder === undefined ? undefined : await work(this.#folder)
    } catch (error) {
      this.#onFailed(error)
      return undefined
    }
  }

  /** Reads the head, of which there must be one: the first of workers that write it at once counts. */
  async #readHead(folder: string): Promise<Head> {
    await using handle = await openToAppend(folder, marksIn(folder))
    if ((await handle.stat()).size === 0)
      await handle.appendFile(headLine({ ...this.#kept, file: randomUUID() }))
    const first = Buffer.alloc(HEAD_BYTES)
    await handle.read(first, 0, HEAD_BYTES, 0)
    return parseAs(headShape, first.toString()) ?? this.#kept
  }

  /** Deletes old files once an hour: they name people by their IDs. */
  async #tidy(folder: string, now: number): Promise<void> {
    if (this.#tidiedIn === hourOf(now)) return
    this.#tidiedIn = hourOf(now)
    for (const name of await readdir(folder)) {
      const endsAt = (Number.parseInt(name, 10) + 1) * HOUR_MS
      if (endsAt + KNOWN_MS <= now) await rm(join(folder, name), { force: true })
    }
  }
}

const marksIn = (folder: string) => join(folder, "marks")

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS)
}

async function openToAppend(folder: string, file: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return open(file, "a+", 0o600)
}

/** Adds a line to the file of the hour that an attempt belongs to. */
async function append(folder: string, at: number, fact: object): Promise<void> {
  await using handle = await openToAppend(folder, join(folder, `${hourOf(at)}.log`))
  // Begins with a line break, because a crash may have left half a line.
  await handle.appendFile(`\n${JSON.stringify(fact)}\n`)
  await handle.datasync()
}

/** Passes over a file that another worker has deleted, or that nobody has written yet. */
function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error
}

function headLine(head: Head): string {
  return `${JSON.stringify(head).padEnd(HEAD_BYTES - 1)}\n`
}
