import { createHash, randomBytes } from "node:crypto"
import { z } from "zod"
import { WEEKS } from "../../visitors/alerts/judge.ts"
import type {
  Counted,
  DayBook,
  DayCount,
  LinkedReport,
  LinkedReports,
} from "../../visitors/alerts/ports.ts"
import { addDays } from "../../visitors/day.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { type ReadProjectNames, SAME_NAMES } from "../projects/names.ts"
import { recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { calledIn, question, storedIn } from "./question-record.ts"

/** As long as a later day is held against it, and some weeks in which there may be no bot, days. */
const KEPT_DAYS = 7 * WEEKS + 21
const DAY_MS = 86_400_000
/** A message's button opens its report this long. */
const LINKED_MS = 30 * DAY_MS

const count = z.number().nonnegative()
const codec = recordCodec<DayCount>(
  1,
  z.object({ human: count, ai: count, at: z.number(), isSure: z.boolean() }),
)

/** @param subjectOf what tells a project from all others, whatever it is called */
export function createDayBook(redis: RedisClient, subjectOf: (project: string) => string): DayBook {
  const keyOf = ({ project, filter }: Counted) =>
    keys.days(subjectOf(project), filter === undefined ? "site" : fingerprintOf(filter))
  return {
    async of(counted, days) {
      const key = keyOf(counted)
      const records = await typed(key, redis.hmget(key, ...days), ignoreBroken)
      if (!records) await redis.del(key)
      const found = days.flatMap((day, n) => {
        const known = codec.read(records?.[n])
        return known ? [[day, known] as const] : []
      })
      return new Map(found)
    },

    async save(counted, day, value) {
      const key = keyOf(counted)
      await redis.hset(key, day, codec.write(value))
      await redis.pexpire(key, KEPT_DAYS * DAY_MS)
      // Days are written in their order, so those that fall out are the ones just before the oldest.
      const old = Array.from({ length: 14 }, (_, n) => addDays(day, -KEPT_DAYS - n))
      await redis.hdel(key, ...old)
    },
  }
}

const linkedCodec = recordCodec<LinkedReport>(
  1,
  z.object({
    channel: z.string(),
    question,
  }),
)

export function createLinkedReports(
  redis: RedisClient,
  names: ReadProjectNames = SAME_NAMES,
): LinkedReports {
  return {
    async save(linked) {
      const id = randomBytes(12).toString("base64url")
      await redis.set(
        keys.linked(id),
        linkedCodec.write(storedIn(await names(), linked)),
        "PX",
        LINKED_MS,
      )
      return id
    },

    async load(id) {
      const key = keys.linked(id)
      const [known, text] = await Promise.all([names(), typed(key, redis.get(key), ignoreBroken)])
      const linked = linkedCodec.read(text)
      return linked && calledIn(known, linked)
    },
  }
}

/** A filter is what somebody typed, of any length. */
function fingerprintOf(filter: string): string {
  return createHash("sha256").update(filter).digest("base64url").slice(0, 22)
}
