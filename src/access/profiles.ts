import { randomUUID } from "node:crypto"
import { z } from "zod"
import { SlackError } from "../errors/slack-error.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { takeSlots } from "../store/window.ts"
import { parseJson } from "../text/json.ts"
import type { ProfileSource } from "./gate.ts"
import type { Profile } from "./rules.ts"

/**
 * A person who becomes a guest is noticed after 15 minutes at the latest: the time Redis remembers a
 * profile and then the time one process does, ms.
 */
const STORED_MS = 14 * 60_000
const HELD_MS = 60_000
/** That Slack knows nobody of this id is remembered so long: a text can name any number of them. ms */
const UNKNOWN_MS = 5 * 60_000
/** Profiles in one process' memory; about a megabyte. */
const MOST_HELD = 5000

/** What `users.info` says of an id that is nobody's, or of somebody it does not show to the bot. */
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
 * Remembers profiles for every process, so that `users.info` is not in the way of each command; and
 * for a minute in this one, so that Redis is not either when somebody is busy. Several questions about
 * one person at the same time are one.
 */
export function cachedProfiles(redis: RedisClient, source: ProfileSource): ProfileSource {
  const now = () => performance.now()
  const held = new Map<string, { found: Found; until: number }>()
  const asking = new Map<string, Promise<Found>>()

  function hold(user: string, found: Found): Found {
    if (held.size >= MOST_HELD) held.clear()
    held.set(user, { found, until: now() + HELD_MS })
    return found
  }

  async function ask(user: string): Promise<Found> {
    return hold(user, await store(redis, user, await look(source, user)))
  }

  function askOnce(user: string): Promise<Found> {
    const asked = asking.get(user) ?? ask(user).finally(() => asking.delete(user))
    asking.set(user, asked)
    return asked
  }

  return async (user) => {
    const known = held.get(user)
    if (known && known.until > now()) return orThrow(known.found)
    const kept = asking.has(user) ? undefined : await stored(redis, user)
    return orThrow(kept ? hold(user, kept) : await askOnce(user))
  }
}

function orThrow(found: Found): Profile {
  if (!("unknown" in found)) return found
  throw new SlackError({ method: "users.info", verdict: "give_up", code: found.unknown })
}

async function look(source: ProfileSource, user: string): Promise<Found> {
  try {
    return await source(user)
  } catch (error) {
    const unknown = error instanceof SlackError && UNKNOWN.find((code) => code === error.code)
    if (unknown) return { unknown }
    throw error
  }
}

/** One that is broken counts as absent: Slack is asked, and the answer takes its place. */
async function stored(redis: RedisClient, user: string): Promise<Found | undefined> {
  const json = parseJson((await redis.get(profileKey(user))) ?? "")
  const known = z.union([profileRecord, unknownRecord]).safeParse(json).data
  if (!known) return undefined
  const { v: _, ...found } = known
  return found
}

async function store(redis: RedisClient, user: string, found: Found): Promise<Found> {
  const ms = "unknown" in found ? UNKNOWN_MS : STORED_MS
  await redis.set(profileKey(user), JSON.stringify({ v: 1, ...found }), "PX", ms)
  return found
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
