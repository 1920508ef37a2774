import { createHash } from "node:crypto"
import { z } from "zod"
import type { CsvExport } from "../../visitors/csv.ts"
import { type Question, question } from "../../visitors/report.ts"
import { ignoreBroken } from "../broken.ts"
import { type NamedStoreOptions, SAME_NAMES } from "../projects/names.ts"
import { RecordError, recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { calledIn, storedIn } from "./question-names.ts"
import { type Claim, createSchedule } from "./schedule.ts"

export type CsvExports = ReturnType<typeof createCsvExports>

export interface ClaimedExport extends Claim {
  export: CsvExport
}

/** An abandoned export is forgotten after this, ms: longer than all of its tries. */
const KEEP_MS = 6 * 3_600_000
/** Between the click and the record, ms: Slack is written to meanwhile. */
const START_MS = 60_000

const codec = recordCodec<CsvExport>(
  1,
  z.object({ user: z.string(), question, channel: z.string(), ts: z.string() }),
)

/** The exports on their way, durable: one a person and question. */
export function createCsvExports(
  redis: RedisClient,
  { names = SAME_NAMES, onBroken = ignoreBroken, now }: NamedStoreOptions = {},
) {
  const schedule = createSchedule(redis, { due: keys.exportsDue, work: keys.exportsWork }, now)
  return {
    /** @returns undefined when the same file is on its way to this person already */
    async claimStart(user: string, asked: Question): Promise<string | undefined> {
      const { project, range, filter = "" } = asked
      const words = JSON.stringify([user, project, range.from, range.to, filter])
      const id = createHash("sha256").update(words).digest("base64url").slice(0, 22)
      const taken = await redis.set(keys.export(id), "", "PX", START_MS, "NX")
      return taken === "OK" ? id : undefined
    },

    async cancelStart(id: string): Promise<void> {
      await redis.del(keys.export(id))
    },

    async start(id: string, csv: CsvExport): Promise<void> {
      const record = codec.write(storedIn(await names(), csv))
      await redis.set(keys.export(id), record, "PX", KEEP_MS)
      await schedule.put(id, 0)
    },

    async claim(leaseMs: number): Promise<ClaimedExport | undefined> {
      const claim = await schedule.claim(leaseMs)
      if (!claim) return undefined
      const text = await redis.get(keys.export(claim.id))
      const found = codec.read(text)
      if (found) return { ...claim, export: calledIn(await names(), found) }
      if (text === null) await schedule.end(claim)
      else
        onBroken(keys.export(claim.id), new RecordError(`The export ${claim.id} cannot be read.`))
      return undefined
    },

    untilDue: () => schedule.untilDue(),
    renew: (claim: ClaimedExport, leaseMs: number) => schedule.renew(claim, leaseMs),

    async again(claim: ClaimedExport, afterMs: number): Promise<void> {
      await schedule.again(claim, afterMs)
    },

    async done(claim: ClaimedExport): Promise<void> {
      if (await schedule.end(claim)) await redis.del(keys.export(claim.id))
    },
  }
}
