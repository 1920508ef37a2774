import { z } from "zod"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { parseJson } from "../text/json.ts"
import { type AccessRules, type Profile, profileShape, type Refusal, refusalFor } from "./rules.ts"

/** Looks up a person in Slack. @throws SlackError if Slack does not say who this is */
export type ProfileSource = (user: string) => Promise<Profile>

/**
 * Decides whether this person may ask here, before the bot posts a card or sends a request.
 * @throws SlackError if Slack does not answer, because the bot admits nobody whom Slack has not
 * confirmed
 */
export type Gate = (asker: {
  user: string
  channel?: string | undefined
}) => Promise<{ profile: Profile } | { refusal: Refusal }>

export function createGate(rules: AccessRules, profileOf: ProfileSource): Gate {
  return async (asker) => {
    const profile = await profileOf(asker.user)
    const refusal = refusalFor(rules, profile, asker)
    return refusal ? { refusal } : { profile }
  }
}

/** Lifetime in ms of a cached profile, and so the delay until a new guest is turned away. */
const KNOWN_MS = 15 * 60_000

const profileRecord = profileShape.extend({ v: z.literal(1) })

/** Caches profiles for all processes, so that most commands don't wait for `users.info`. */
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

/**
 * Maximum number of names to look up. Each may cost a call to `users.info`; Slack allows about 100
 * a minute ("Tier 4"), and access checks need those calls, too.
 */
const MAX_NAMES = 20

/** Looks up names by id. Leaves out people whom Slack does not name; messages show their id. */
export async function namesOf(
  users: readonly string[],
  profileOf: ProfileSource,
): Promise<Map<string, string>> {
  const pairs = await Promise.all(
    [...new Set(users)].slice(0, MAX_NAMES).map(async (user) => {
      const profile = await profileOf(user).catch(orSlackError)
      return profile instanceof SlackError ? [] : [[user, profile.name] as const]
    }),
  )
  return new Map(pairs.flat())
}
