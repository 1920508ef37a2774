import { randomBytes } from "node:crypto"
import { z } from "zod"
import type { Absences, ShownGaps, ShownGapsStore } from "../../visitors/gaps/ports.ts"
import { type GapOperation, gapOperations } from "../../visitors/gaps/report.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { keepOwn } from "../own.ts"
import { type ReadProjectNames, SAME_NAMES } from "../projects/names.ts"
import { recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { shownGap } from "./gap-records.ts"
import { calledIn, storedIn } from "./question-record.ts"

/** A deployment may have the operation tomorrow. */
const ABSENT_MS = 24 * 3_600_000
/** Gaps that one person sees; asking again is as quick after that. */
const OWN_MS = 6 * 3_600_000
/** Gaps in a channel: until the next weekly digest, and some days. */
const SHARED_MS = 10 * 24 * 3_600_000

const codec = recordCodec<ShownGaps>(
  1,
  z.object({
    to: z.union([z.object({ user: z.string() }), z.object({ channel: z.string() })]),
    question: z.object({
      project: z.string(),
      range: z.object({ from: z.iso.date(), to: z.iso.date() }),
      filter: z.string().exactOptional(),
    }),
    gaps: z.array(shownGap),
  }),
)

export function createShownGaps(
  redis: RedisClient,
  names: ReadProjectNames = SAME_NAMES,
): ShownGapsStore {
  return {
    async save(shown) {
      const id = randomBytes(12).toString("base64url")
      const record = keys.shownGaps(id)
      const value = codec.write(storedIn(await names(), shown))
      if ("channel" in shown.to) await redis.set(record, value, "PX", SHARED_MS)
      else {
        const on = { redis, now: undefined }
        await keepOwn(on, shown.to.user, record, { value, keepMs: OWN_MS })
      }
      return id
    },

    async load(id) {
      const key = keys.shownGaps(id)
      const [known, text] = await Promise.all([names(), typed(key, redis.get(key), ignoreBroken)])
      const shown = codec.read(text)
      return shown && calledIn(known, shown)
    },
  }
}

/**
 * What deployments lack, one key for each operation, as each is asked for again on its own.
 * @param subjectOf what tells a project from all others, whatever it is called
 */
export function createAbsences(
  redis: RedisClient,
  subjectOf: (project: string) => string,
): Absences {
  const keyOf = (project: string, operation: GapOperation) =>
    keys.absent(subjectOf(project), operation)
  return {
    async of(project) {
      const known = await Promise.all(
        gapOperations.map((operation) => redis.exists(keyOf(project, operation))),
      )
      return new Set(gapOperations.filter((_, n) => known[n] === 1))
    },

    async remember(project, operation) {
      await redis.set(keyOf(project, operation), "1", "PX", ABSENT_MS)
    },
  }
}
