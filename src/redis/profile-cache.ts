import { z } from "zod"
import type { ProfileSource } from "../access/gate.ts"
import type { Profile } from "../access/rules.ts"
import { parseJson } from "../text/json.ts"
import { ignoreBroken, typed } from "./broken.ts"
import { keys } from "./keys.ts"
import type { RedisClient } from "./script.ts"

/**
 * A person who becomes a guest is noticed after 15 minutes at the latest: the time Redis remembers a
 * profile and then the time one process does, ms.
 */
const STORED_MS = 14 * 60_000
const HELD_MS = 60_000
/** Profiles in one process' memory; about a megabyte. */
const MOST_HELD = 5000

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

/**
 * Remembers profiles for every process, so that `users.info` is not in the way of each command; and
 * for a minute in this one, so that Redis is not either when somebody is busy.
 */
export function cachedProfiles(
  redis: RedisClient,
  source: ProfileSource,
  /** ms since any moment; never goes back. */
  now: () => number = () => performance.now(),
): ProfileSource {
  const held = new Map<string, { profile: Profile; until: number }>()
  return async (user) => {
    const known = held.get(user)
    if (known && known.until > now()) return known.profile
    const profile = (await stored(redis, user)) ?? (await store(redis, await source(user)))
    if (held.size >= MOST_HELD) held.clear()
    held.set(user, { profile, until: now() + HELD_MS })
    return profile
  }
}

/** One that is broken counts as absent: Slack is asked, and the answer takes its place. */
async function stored(redis: RedisClient, user: string): Promise<Profile | undefined> {
  const key = keys.profile(user)
  const text = (await typed(key, redis.get(key), ignoreBroken)) ?? ""
  const known = profileRecord.safeParse(parseJson(text)).data
  if (!known) return undefined
  const { v: _, ...profile } = known
  return profile
}

async function store(redis: RedisClient, profile: Profile): Promise<Profile> {
  await redis.set(keys.profile(profile.user), JSON.stringify({ v: 1, ...profile }), "PX", STORED_MS)
  return profile
}
