import { createHash } from "node:crypto"
import { z } from "zod"
import { key } from "../store/keys.ts"
import { flagField, jsonField, numberField } from "../store/record.ts"
import { isLease } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"
import { createLeasedRecords, type Leased, type OnBroken } from "./leased-records.ts"
import { question } from "./report.ts"

/** The person who asks, with the place and the response_url for the answer. */
const asker = z.object({
  /** The command, or `action`; for the log. */
  entry: z.string(),
  user: z.string(),
  team: z.exactOptional(z.string()),
  channel: z.exactOptional(z.string()),
  thread: z.exactOptional(z.string()),
  replyUrl: z.exactOptional(z.string()),
  isOwnDirect: z.exactOptional(z.boolean()),
})
export type Asker = z.infer<typeof asker>

const wanted = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("report"), question }),
  z.object({ kind: z.literal("gaps"), ...question.pick({ project: true, range: true }).shape }),
  /** A control of a report; the id in its value leads to the report. */
  z.object({ kind: z.literal("click"), action: z.string(), value: z.string() }),
  z.object({ kind: z.literal("csv"), question }),
])
type Wanted = z.infer<typeof wanted>

const inquiry = z.object({
  v: z.literal("1"),
  asker: jsonField(asker),
  wanted: jsonField(wanted),
  /** When the person asked, ms. */
  asked: numberField,
  /** Set once a worker began to answer; while it is set, nobody knows how that ended. */
  begun: z.exactOptional(flagField),
  /** The message that shows a CSV's progress. */
  line: z.exactOptional(jsonField(z.object({ channel: z.string(), ts: z.string() }))),
})
export type Inquiry = Leased<z.infer<typeof inquiry>>

/** The schedules of questions that wait for a worker or are being answered. */
export const questionSchedules = [key("v", "ask", "due"), key("v", "csv", "due")] as const

/** The bot deletes a question that nobody answered for this long, ms; by then any answer would be too late. */
const KEPT_MS = 24 * 3_600_000

/** @param name distinguishes it from the asker's other questions */
function idOf({ user }: Asker, { kind }: Wanted, name: string): string {
  return `${user}:${kind}:${createHash("sha256").update(name).digest("base64url")}`
}

export type Questions = ReturnType<typeof createQuestions>

/**
 * Keeps questions about visitors until a worker has answered them. Reports and CSVs have separate
 * schedules, because CSVs take minutes. The records belong to the asker, and forgetting that person
 * deletes them.
 */
export function createQuestions(store: Store, onBroken: OnBroken) {
  const recordPrefix = key("own", "")
  const of = (schedule: string) =>
    createLeasedRecords(store, { shape: inquiry, schedule, recordPrefix }, onBroken)
  const [answers, exports] = questionSchedules
  const lanes = { answers: of(answers), exports: of(exports) }
  const laneOf = ({ kind }: Wanted) => (kind === "csv" ? lanes.exports : lanes.answers)
  const settle = (held: Inquiry, change: Parameters<typeof lanes.answers.settle>[1]) =>
    laneOf(held.record.wanted).settle(held, change)

  return {
    lanes,

    /** @param name distinguishes it from the asker's other questions @returns false if it already waits */
    async add(from: Asker, want: Wanted, name: string, asked: number): Promise<boolean> {
      const id = idOf(from, want, name)
      const { change, schedule } = laneOf(want)
      const isNew = await change(id, (was) => {
        if (was) return { result: false }
        return {
          set: { v: "1", asker: from, wanted: want, asked },
          keepMs: KEPT_MS,
          ops: [{ do: "due", key: schedule, member: id, inMs: 0 }],
          result: true,
        }
      })
      return isNew ?? false
    },

    /** Returns whether the question still waits for a worker. */
    async isWaiting(from: Asker, want: Wanted, name: string): Promise<boolean> {
      const score = await store.redis.zscore(laneOf(want).schedule, idOf(from, want, name))
      return score !== null && !isLease(Number(score))
    },

    /** Stores that a worker begins to answer. Returns false if another worker holds the question by now. */
    begin: (held: Inquiry) => settle(held, { set: { begun: "1" } }),

    note: (held: Inquiry, line: { channel: string; ts: string }) => settle(held, { set: { line } }),

    /** Extends the lease. Returns false if another worker holds the question by now. */
    async renew(held: Inquiry, ms: number): Promise<boolean> {
      const { schedule } = laneOf(held.record.wanted)
      const lease = Number(held.lease) + Math.round(ms)
      const ops = [{ do: "score", key: schedule, member: held.id, score: lease } as const]
      const isHeld = await settle(held, { ops })
      if (isHeld) held.lease = String(lease)
      return isHeld
    },

    /** Gives the question back, so that another worker answers it. */
    release: (held: Inquiry) => {
      const { schedule } = laneOf(held.record.wanted)
      return settle(held, { ops: [{ do: "settle", key: schedule, member: held.id, inMs: 0 }] })
    },

    end: (held: Inquiry) => settle(held, { ops: laneOf(held.record.wanted).dropped(held.id) }),
  }
}
