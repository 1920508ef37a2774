import { createHash } from "node:crypto"
import { z } from "zod"
import { jsonField } from "../store/record.ts"
import type { Store } from "../store/script.ts"
import type { CsvExport } from "./csv.ts"
import { type Question, question } from "./report.ts"
import { type Claim, createScheduledRecords, type OnBroken } from "./scheduled-records.ts"

export type CsvExports = ReturnType<typeof createCsvExports>

/** An abandoned export is forgotten after this, ms: longer than all of its tries. */
const KEEP_MS = 6 * 3_600_000
/** Between the click and the record, ms: Slack is written to meanwhile. */
const START_MS = 60_000

const csvExport = z.object({
  user: z.string(),
  question,
  channel: z.string(),
  ts: z.string(),
})
const record = z.object({ v: z.literal("1"), export: jsonField(csvExport) })

export type ClaimedExport = Claim<z.infer<typeof record>>

/** The exports on their way, durable: one a person and question. */
export function createCsvExports(store: Store, onBroken: OnBroken) {
  const records = createScheduledRecords(store, "csv", record, onBroken)
  const { schedule, dropped } = records
  /** Before its record is whole it cannot be read, which is as it should be. */
  const starting = createScheduledRecords(store, "csv", z.object({ v: z.literal("1") }), () => {})
  return {
    schedule,

    /** @returns undefined when the same file is on its way to this person already */
    async claimStart(user: string, asked: Question): Promise<string | undefined> {
      const { project, range, filter = "" } = asked
      const words = JSON.stringify([user, project, range.from, range.to, filter])
      const id = createHash("sha256").update(words).digest("base64url").slice(0, 22)
      return starting.change(id, (was) =>
        was ? { result: undefined } : { set: { v: "1" }, keepMs: START_MS, result: id },
      )
    },

    async cancelStart(id: string): Promise<void> {
      await starting.change(id, () => ({ ops: dropped(id), result: undefined }))
    },

    async start(id: string, csv: CsvExport): Promise<void> {
      const set = { v: "1", export: JSON.stringify(csv) }
      const ops = [{ do: "due", key: schedule, member: id, inMs: 0 }] as const
      await starting.change(id, () => ({ set, keepMs: KEEP_MS, ops, result: undefined }))
    },

    claim: (leaseMs: number) => records.claim(leaseMs),
    untilDue: () => records.untilDue(),
    again: (claimed: ClaimedExport, afterMs: number) => records.again(claimed, afterMs),
    done: (claimed: ClaimedExport) => records.end(claimed),
  }
}
