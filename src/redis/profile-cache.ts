import { z } from "zod"
import type { ProfileSource } from "../access/gate.ts"
import type { Profile } from "../access/rules.ts"
import { keys } from "./keys.ts"
import type { RedisClient } from "./script.ts"

/** A person who becomes a guest is noticed after this at the latest, ms. */
const FRESH_MS = 15 * 60_000

const profileRecord = z.object({
  v: z.literal(1),
  user: z.string(),
  name: z.string(),
  team: z.string(),
  isGuest: z.boolean(),
  isStranger: z.boolean(),
  isBot: z.boolean(),
  timeZone: z.string(),
})

/** Remembers profiles for every process, so that `users.info` is not in the way of each command. */
export function cachedProfiles(redis: RedisClient, source: ProfileSource): ProfileSource {
  return async (user) => {
    const stored = await redis.get(keys.profile(user))
    const known = stored === null ? undefined : profileRecord.safeParse(JSON.parse(stored)).data
    if (known) {
      const { v: _, ...profile } = known
      return profile
    }
    const profile: Profile = await source(user)
    const record = JSON.stringify({ v: 1, ...profile })
    await redis.set(keys.profile(user), record, "PX", FRESH_MS)
    return profile
  }
}
