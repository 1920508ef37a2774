import { createHash } from "node:crypto"
import { z } from "zod"
import { key } from "../store/keys.ts"
import { flagField, jsonField, numberField } from "../store/record.ts"
import { isLease } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"
import { createLeasedRecords, type Leased, type OnBroken } from "./leased-records.ts"
import { question } from "./report.ts"

/** The person who asks, and the place and address for the answer. */
const asker = z.object({
  /** The command, or `action`: for the log. */
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
  /** A control of a report: what it is about is known by the id in its value. */
  z.object({ kind: z.literal("click"), action: z.string(), value: z.string() }),
  z.object({ kind: z.literal("csv"), question }),
])
type Wanted = z.infer<typeof wanted>

const inquiry = z.object({
  v: z.literal("1"),
  asker: jsonField(asker),
  wanted: jsonField(wanted),
  /** The time it was asked, ms. */
  asked: numberField,
  /** An answer was begun, and nobody wrote down how that ended. */
  begun: z.exactOptional(flagField),
  /** The message that shows how far a CSV is. */
  line: z.exactOptional(jsonField(z.object({ channel: z.string(), ts: z.string() }))),
})
export type Inquiry = Leased<z.infer<typeof inquiry>>

/** Schedules of questions that wait for a worker, or are being answered. */
export const questionSchedules = [key("v", "ask", "due"), key("v", "csv", "due")] as const

/** A question that nobody answers for so long is forgotten, ms: longer than its answer may be late. */
const KEPT_MS = 24 * 3_600_000

/** @param name tells it from the other questions of its asker */
function idOf({ user }: Asker, { kind }: Wanted, name: string): string {
  return `${user}:${kind}:${createHash("sha256").update(name).digest("base64url")}`
}

export type Questions = ReturnType<typeof createQuestions>

/**
 * Keeps what people ask about visitors until a worker has answered it. Reports and CSVs, which take
 * minutes, come up by schedules of their own. What is kept is the asker's own, and goes with what
 * else is theirs.
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

    /** @param name tells it from the other questions of its asker. @returns false where it waits already */
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

    /** Tells whether no worker has taken it yet. */
    async isWaiting(from: Asker, want: Wanted, name: string): Promise<boolean> {
      const score = await store.redis.zscore(laneOf(want).schedule, idOf(from, want, name))
      return score !== null && !isLease(Number(score))
    },

    /** Written down before an answer is sent. False where another worker answers by now. */
    begin: (held: Inquiry) => settle(held, { set: { begun: "1" } }),

    note: (held: Inquiry, line: { channel: string; ts: string }) => settle(held, { set: { line } }),

    /** Holds it for longer. False where another worker holds it by now. */
    async renew(held: Inquiry, ms: number): Promise<boolean> {
      const { schedule } = laneOf(held.record.wanted)
      const lease = Number(held.lease) + Math.round(ms)
      const ops = [{ do: "score", key: schedule, member: held.id, score: lease } as const]
      const isHeld = await settle(held, { ops })
      if (isHeld) held.lease = String(lease)
      return isHeld
    },

    /** Gives it back, for another worker to answer. */
    release: (held: Inquiry) => {
      const { schedule } = laneOf(held.record.wanted)
      return settle(held, { ops: [{ do: "settle", key: schedule, member: held.id, inMs: 0 }] })
    },

    end: (held: Inquiry) => settle(held, { ops: laneOf(held.record.wanted).dropped(held.id) }),
  }
}
