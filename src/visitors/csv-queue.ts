import { z } from "zod"
import type { Context } from "../jobs/context.ts"
import { DAY_MS } from "../lib/time.ts"
import { jsonField } from "../store/record-fields.ts"
import { createLeasedRecords, type Leased, type OnBroken } from "../store/records.ts"
import { key } from "../store/redis-keys.ts"
import type { Store } from "../store/script.ts"
import { type Selection, selectionShape } from "./range.ts"

const asker = z.object({
  /** `action`, for the log. */
  entry: z.string(),
  user: z.string(),
  channel: z.string().optional(),
  thread: z.string().optional(),
  replyUrl: z.string().optional(),
  isOwnDirect: z.boolean().optional(),
})

const waitingCsv = z.object({
  v: z.literal("1"),
  asker: jsonField(asker),
  selection: jsonField(selectionShape),
  progress: z.exactOptional(jsonField(z.object({ channel: z.string(), ts: z.string() }))),
})
export type WaitingCsv = Leased<z.infer<typeof waitingCsv>>

export const csvSchedule = key("v", "csv", "due")

/** Time in ms after which the bot deletes a CSV that no worker has sent. */
const KEPT_MS = DAY_MS

/** Opens the CSVs that wait until a worker has sent them. Forgetting the asker deletes them. */
export function waitingCsvs(store: Store, onBroken: OnBroken) {
  const keys = { schedule: csvSchedule, recordPrefix: key("own", "") }
  return createLeasedRecords(store, waitingCsv, keys, onBroken)
}
export type WaitingCsvs = ReturnType<typeof waitingCsvs>

/** Orders the CSV of a report, unless it waits already. Resolves to whether it is new. */
export async function orderCsv(
  { store, events }: Context,
  from: z.input<typeof asker>,
  report: string,
  wanted: Selection,
): Promise<boolean> {
  const csvs = waitingCsvs(store, events.unreadable)
  const before = await csvs.change(`${from.user}:csv:${report}`, (waiting) => {
    if (waiting) return undefined
    const set = { v: "1", asker: asker.parse(from), selection: wanted }
    return { set, keepMs: KEPT_MS, due: { inMs: 0 } }
  })
  return before === undefined
}
