import { z } from "zod"
import type { ProfileSource } from "../../access/gate.ts"
import type { Profile } from "../../access/rules.ts"
import { SlackError, tooLate } from "../../errors/slack-error.ts"
import { withTimeout } from "../../runtime/with-timeout.ts"
import { parseJson } from "../../text/json.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"

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

/** A person, or why there is none. */
type Found = Profile | { unknown: (typeof UNKNOWN)[number] }

interface Profiles {
  /** @throws SlackError `slow` when Slack takes its time; by the next question it may have answered */
  promptly: ProfileSource
  patiently: ProfileSource
}

/**
 * Remembers profiles for every process, so that `users.info` is not in the way of each command; and
 * for a minute in this one, so that Redis is not either when somebody is busy. Several questions about
 * one person at the same time are one.
 */
export function cachedProfiles(
  redis: RedisClient,
  source: ProfileSource,
  { withinMs }: { withinMs: number },
): Profiles {
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

  async function find(user: string, askSlack: typeof askOnce): Promise<Profile> {
    const known = held.get(user)
    if (known && known.until > now()) return orThrow(known.found)
    const kept = asking.has(user) ? undefined : await stored(redis, user)
    return orThrow(kept ? hold(user, kept) : await askSlack(user))
  }

  return {
    promptly: (user) =>
      find(user, (unknown) => withTimeout(withinMs, askOnce(unknown), tooLate("users.info"))),
    patiently: (user) => find(user, askOnce),
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
  const key = keys.profile(user)
  const json = parseJson((await typed(key, redis.get(key), ignoreBroken)) ?? "")
  const known = z.union([profileRecord, unknownRecord]).safeParse(json).data
  if (!known) return undefined
  const { v: _, ...found } = known
  return found
}

async function store(redis: RedisClient, user: string, found: Found): Promise<Found> {
  const ms = "unknown" in found ? UNKNOWN_MS : STORED_MS
  await redis.set(keys.profile(user), JSON.stringify({ v: 1, ...found }), "PX", ms)
  return found
}
