import { z } from "zod"
import { RESPONSE_URL_MS } from "../slack/response-url.ts"
import { flagField, jsonField, numberField } from "../store/record-fields.ts"
import type { OnBroken } from "../store/records.ts"
import { key } from "../store/redis-keys.ts"
import { isLease } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"
import { createLeasedRecords, type Leased } from "./leased-records.ts"
import { selection } from "./report.ts"

const asker = z.object({
  /** Command, or `action` for a click; for the log. */
  entry: z.string(),
  user: z.string(),
  channel: z.exactOptional(z.string()),
  thread: z.exactOptional(z.string()),
  replyUrl: z.exactOptional(z.string()),
  isOwnDirect: z.exactOptional(z.boolean()),
})
export type Asker = z.infer<typeof asker>

const wanted = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("report"), selection }),
  z.object({ kind: z.literal("gaps"), ...selection.pick({ project: true, range: true }).shape }),
  /** Click on a control; its value contains the report's id. */
  z.object({ kind: z.literal("click"), action: z.string(), value: z.string() }),
])
export type Wanted = z.infer<typeof wanted>

const question = z.object({
  v: z.literal("2"),
  asker: jsonField(asker),
  wanted: jsonField(wanted),
  asked: numberField,
  /** Set once a worker began to answer: after a crash, nobody knows whether it did. */
  begun: z.exactOptional(flagField),
  /** Message that shows a CSV's progress. */
  progress: z.exactOptional(jsonField(z.object({ channel: z.string(), ts: z.string() }))),
})
export type Question = Leased<z.infer<typeof question>>

export const questionSchedule = key("v", "ask", "due")

/** Time in ms after which the bot deletes an unanswered question. */
const KEPT_MS = 24 * 3_600_000

/** Returns whether the answer can no longer appear where the person asked. */
export function isTooLate({ now, value }: Question): boolean {
  return now - value.asked > RESPONSE_URL_MS
}

/** Keeps questions until a worker has answered them. Forgetting the asker deletes them. */
export function createQuestions(store: Store, onBroken: OnBroken) {
  const keys = { schedule: questionSchedule, recordPrefix: key("own", "") }
  const records = createLeasedRecords(store, question, keys, onBroken)
  const idOf = (user: string, name: string) => `${user}:question:${name}`

  return {
    ...records,

    /** Adds a question, unless it waits already. @param name distinguishes the asker's questions */
    async add(from: Asker, want: Wanted, name: string, asked: number): Promise<boolean> {
      const was = await records.change(idOf(from.user, name), (was) => {
        if (was) return undefined
        const set = { v: "2", asker: from, wanted: want, asked }
        return { set, keepMs: KEPT_MS, due: { inMs: 0 } }
      })
      return was === undefined
    },

    async isWaiting({ user }: Asker, name: string): Promise<boolean> {
      const score = await store.redis.zscore(questionSchedule, idOf(user, name))
      return score !== null && !isLease(Number(score))
    },

    /** Extends the lease. Resolves to false if another worker has taken the question over. */
    async renew(held: Question, ms: number): Promise<boolean> {
      const lease = Number(held.lease) + Math.round(ms)
      const isHeld = await records.settle(held, { due: { at: lease } })
      if (isHeld) held.lease = String(lease)
      return isHeld
    },
  }
}
