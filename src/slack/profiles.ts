import { z } from "zod"
import { parseAs } from "../lib/json.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import type { SlackClient } from "./client.ts"
import { SLACKBOT } from "./read-message.ts"
import { orSlackError, parseAnswer, SlackError } from "./slack-error.ts"

export type Profile = z.infer<typeof profileShape>

const profileShape = z.object({
  user: z.string(),
  name: z.string(),
  isGuest: z.boolean(),
  /** True for a person from another workspace outside the bot's Enterprise organization. */
  isStranger: z.boolean(),
  isBot: z.boolean(),
  /** IANA name of the time zone in which the person gets reminders and digests. */
  timeZone: z.string(),
})

/** Looks up a person in Slack. @throws SlackError if Slack does not say who this is */
export type ProfileSource = (user: string) => Promise<Profile>

const userInfo = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    enterprise_user: z.object({ enterprise_id: z.string().optional() }).optional(),
    is_restricted: z.boolean().default(false),
    is_ultra_restricted: z.boolean().default(false),
    is_stranger: z.boolean().default(false),
    is_bot: z.boolean().default(false),
    deleted: z.boolean().default(false),
    tz: z.string().default("UTC"),
    name: z.string().default(""),
    real_name: z.string().optional(),
    profile: z
      .object({ display_name: z.string().optional(), real_name: z.string().optional() })
      .optional(),
  }),
})

export async function fetchProfile(
  client: SlackClient,
  home: { team: string; enterprise: string | undefined },
  user: string,
): Promise<Profile> {
  const { user: u } = parseAnswer("users.info", userInfo, await client.users.info({ user }))
  const sameOrg =
    home.enterprise !== undefined && u.enterprise_user?.enterprise_id === home.enterprise
  return {
    user: u.id,
    name: u.profile?.display_name || u.real_name || u.profile?.real_name || u.name || u.id,
    isGuest: u.is_restricted || u.is_ultra_restricted,
    isStranger: u.is_stranger || (u.team_id !== undefined && u.team_id !== home.team && !sameOrg),
    isBot: u.is_bot || u.deleted || u.id === SLACKBOT,
    timeZone: u.tz,
  }
}

/** Lifetime in ms of a cached profile, and so the delay until a new guest is turned away. */
const KNOWN_MS = 15 * 60_000

const profileRecord = profileShape.extend({ v: z.literal(1) })
/** Codes with which Slack says that it does not show the app this person. */
const notShown = z.enum(["user_not_found", "user_not_visible"])
const notShownRecord = z.object({ v: z.literal(1), notShown })

/** Caches profiles for all processes, so that most commands don't wait for `users.info`. */
export function cachedProfiles(redis: RedisClient, source: ProfileSource): ProfileSource {
  return async (user) => {
    const at = key("own", user, "profile")
    // A broken record counts as absent: the bot asks Slack and replaces it.
    const stored = await redis.get(at)
    const known = parseAs(profileRecord, stored)
    if (known) return known
    const code = parseAs(notShownRecord, stored)?.notShown
    if (code) throw new SlackError({ method: "users.info", verdict: "give_up", code })
    const found = await source(user).catch(orSlackError)
    if (!(found instanceof SlackError)) {
      await redis.set(at, JSON.stringify({ v: 1, ...found }), "PX", KNOWN_MS)
      return found
    }
    const refused = notShown.safeParse(found.code).data
    const record = JSON.stringify({ v: 1, notShown: refused })
    if (refused) await redis.set(at, record, "PX", KNOWN_MS)
    throw found
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
