import { type OnBroken, typed } from "../broken.ts"
import { RecordError } from "../record.ts"
import type { RedisClient } from "../script.ts"

/** A pack that is written and does not become part of its archive is gone after this, ms. */
const UNPLACED_MS = 60_000

/** How an archive stores its records, some hundred in one compressed value. */
export interface PackFormat<Row> {
  /** Where a pack stands in Redis. */
  keyOf: (id: string) => string
  pack: (rows: readonly Row[]) => Promise<Buffer>
  /** @throws RecordError when it is broken, or was written by another version */
  unpack: (id: string, bytes: Buffer) => Promise<Row[]>
}

/** The packs of one archive. */
export function createPacks<Row>(
  redis: RedisClient,
  { keyOf, pack, unpack }: PackFormat<Row>,
  onBroken: OnBroken,
) {
  /** Undefined when it is gone. @throws RecordError */
  async function read(id: string): Promise<Row[] | undefined> {
    const bytes = await typed(keyOf(id), redis.getBuffer(keyOf(id)), onBroken)
    return bytes ? unpack(id, bytes) : undefined
  }

  /** No rows where it is gone, or cannot be read, which is told. */
  async function readable(id: string): Promise<Row[]> {
    try {
      return (await read(id)) ?? []
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      onBroken(keyOf(id), error)
      return []
    }
  }

  return {
    read,
    readable,

    /** Writes a pack for a moment, in which `place` makes it part of the archive; false where it refuses to. */
    async write(id: string, rows: readonly Row[], place: () => Promise<number>): Promise<boolean> {
      await redis.set(keyOf(id), await pack(rows), "PX", UNPLACED_MS)
      const isPlaced = (await place()) === 1
      if (!isPlaced) await redis.del(keyOf(id))
      return isPlaced
    },
  }
}

/** Forgets somebody in one pack after the other, also in those that are packed meanwhile, until `forget` is true of each. */
export async function forgetInEach(
  packIds: () => Promise<readonly string[]>,
  forget: (id: string) => Promise<boolean>,
): Promise<void> {
  const done = new Set<string>()
  const left = async () => (await packIds()).filter((id) => !done.has(id))
  for (let ids = await left(); ids.length > 0; ids = await left())
    for (const id of ids) if (await forget(id)) done.add(id)
}
