import { randomUUID } from "node:crypto"
import { z } from "zod"
import { SlackError } from "../errors/slack-error.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { RedisClient } from "../store/script.ts"
import { parseJson } from "../text/json.ts"
import type { ProfileSource } from "./gate.ts"
import type { Profile } from "./rules.ts"

/** A person who becomes a guest is noticed after so long at the latest, ms. */
const KNOWN_MS = 15 * 60_000
/** That Slack knows nobody of this id is remembered so long: a text can name any number of them. ms */
const UNKNOWN_MS = 5 * 60_000

/** Codes of `users.info` for an id that is nobody's, or somebody's whom it does not show to the bot. */
const UNKNOWN = ["user_not_found", "user_not_visible"] as const

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
/** The version before takes it for broken and asks Slack. */
const unknownRecord = z.object({ v: z.literal(1), unknown: z.enum(UNKNOWN) })

/** Key of what is known of a person, among what is theirs alone. */
function profileKey(user: string): string {
  return key("own", user, "profile")
}

/** A person, or why there is none. */
type Found = Profile | { unknown: (typeof UNKNOWN)[number] }

/**
 * Remembers profiles for every process, so that `users.info` is not in the way of each command. Several
 * questions about one person at the same time are one.
 */
export function cachedProfiles(redis: RedisClient, source: ProfileSource): ProfileSource {
  const asking = new Map<string, Promise<Found>>()

  async function find(user: string): Promise<Found> {
    const json = parseJson((await redis.get(profileKey(user))) ?? "")
    // One that is broken counts as absent: Slack is asked, and the answer takes its place.
    const known = z.union([profileRecord, unknownRecord]).safeParse(json).data
    if (known) return known
    const found = await ask(source, user)
    const ms = "unknown" in found ? UNKNOWN_MS : KNOWN_MS
    await redis.set(profileKey(user), JSON.stringify({ v: 1, ...found }), "PX", ms)
    return found
  }

  return async (user) => {
    const finding = asking.get(user) ?? find(user).finally(() => asking.delete(user))
    asking.set(user, finding)
    const found = await finding
    if (!("unknown" in found)) return found
    throw new SlackError({ method: "users.info", verdict: "give_up", code: found.unknown })
  }
}

async function ask(source: ProfileSource, user: string): Promise<Found> {
  try {
    return await source(user)
  } catch (error) {
    const unknown = error instanceof SlackError && UNKNOWN.find((code) => code === error.code)
    if (unknown) return { unknown }
    throw error
  }
}

/**
 * Slack allows about 100 calls of `users.info` a minute ("Tier 4"), and deciding who may ask needs them:
 * looking up names takes at most half, over all processes.
 */
const NAMES_A_MINUTE = 50
const MINUTE_MS = 60_000

/**
 * Asks Slack about people who are only to be called by their names. @throws SlackError also when
 * enough was asked within a minute: their ids stand in for their names then
 */
export function withinNameBudget(redis: RedisClient, source: ProfileSource): ProfileSource {
  const limits = { cap: NAMES_A_MINUTE, windowMs: MINUTE_MS }
  return async (user) => {
    const log = key("name-lookups")
    const waitMs = await takeSlots({ redis, now: undefined }, { log }, limits, [randomUUID()])
    if (waitMs === 0) return source(user)
    throw new SlackError({ method: "users.info", verdict: "later", code: "enough_names" })
  }
}
