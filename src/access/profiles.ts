import { z } from "zod"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { parseJson } from "../text/json.ts"
import type { ProfileSource } from "./gate.ts"
import { profileShape } from "./rules.ts"

/** The bot notices within this time, in ms, that a person became a guest. */
const KNOWN_MS = 15 * 60_000

const profileRecord = profileShape.extend({ v: z.literal(1) })

/** Caches profiles for all processes, so that not every command waits for `users.info`. */
export function cachedProfiles(redis: RedisClient, source: ProfileSource): ProfileSource {
  return async (user) => {
    const at = key("own", user, "profile")
    // A broken record counts as absent: the bot asks Slack and replaces it.
    const known = profileRecord.safeParse(parseJson((await redis.get(at)) ?? "")).data
    if (known) return known
    const found = await source(user)
    await redis.set(at, JSON.stringify({ v: 1, ...found }), "PX", KNOWN_MS)
    return found
  }
}
