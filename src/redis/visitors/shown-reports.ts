import { randomBytes } from "node:crypto"
import { z } from "zod"
import { fallbackLevels } from "../../visitors/fallback-level.ts"
import type { FallbackMemory, ShownReport, ShownReports } from "../../visitors/ports.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { keepOwn } from "../own.ts"
import { type ReadProjectNames, SAME_NAMES } from "../projects/names.ts"
import { recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { calledIn, question, storedIn } from "./question-record.ts"

/** The controls of a private report work this long; after that asking again is as quick. */
const SHOWN_MS = 6 * 3_600_000
/** New blocks reach a workspace some day: it is offered the rich message again after this. */
const LEVEL_MS = 24 * 3_600_000

const shownCodec = recordCodec<ShownReport>(
  1,
  z.object({
    user: z.string(),
    question,
    view: z.enum(["report", "changes"]),
    paths: z.array(z.string()),
    readers: z.array(z.object({ human: z.number(), ai: z.number() })).exactOptional(),
  }),
)
const levelCodec = recordCodec(1, z.enum(fallbackLevels))

export function createShownReports(
  redis: RedisClient,
  names: ReadProjectNames = SAME_NAMES,
): ShownReports {
  return {
    async save(shown) {
      const id = randomBytes(12).toString("base64url")
      const value = shownCodec.write(storedIn(await names(), shown))
      const on = { redis, now: undefined }
      await keepOwn(on, shown.user, keys.shown(id), { value, keepMs: SHOWN_MS })
      return id
    },

    async load(id) {
      const key = keys.shown(id)
      const [known, text] = await Promise.all([names(), typed(key, redis.get(key), ignoreBroken)])
      const shown = shownCodec.read(text)
      return shown && calledIn(known, shown)
    },

    async claimShare(id) {
      return (await redis.set(keys.shared(id), "1", "PX", SHOWN_MS, "NX")) === "OK"
    },

    async releaseShare(id) {
      await redis.del(keys.shared(id))
    },
  }
}

export function createFallbackMemory(redis: RedisClient): FallbackMemory {
  return {
    async of({ team, kind }) {
      const key = keys.level(team, kind)
      return levelCodec.read(await typed(key, redis.get(key), ignoreBroken))
    },

    async remember({ team, kind }, level) {
      await redis.set(keys.level(team, kind), levelCodec.write(level), "PX", LEVEL_MS)
    },
  }
}
