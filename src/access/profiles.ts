import { z } from "zod"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { parseJson } from "../text/json.ts"
import type { ProfileSource } from "./gate.ts"

/** A person who becomes a guest is noticed after so long at the latest, ms. */
const KNOWN_MS = 15 * 60_000

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
    const at = key("own", user, "profile")
    // A record that is broken counts as absent: Slack is asked, and the answer takes its place.
    const known = profileRecord.safeParse(parseJson((await redis.get(at)) ?? "")).data
    if (known) return known
    const found = await source(user)
    await redis.set(at, JSON.stringify({ v: 1, ...found }), "PX", KNOWN_MS)
    return found
  }
}
