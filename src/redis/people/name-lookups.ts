import { randomUUID } from "node:crypto"
import type { ProfileSource } from "../../access/gate.ts"
import { SlackError } from "../../errors/slack-error.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"
import { takeLookUp } from "./name-lookups.lua.ts"

/**
 * Slack allows about 100 calls of `users.info` a minute ("Tier 4"), and deciding who may ask needs them:
 * looking up names takes at most half, over all processes.
 */
const MOST_A_MINUTE = 50
const MINUTE_MS = 60_000

/**
 * Asks Slack about people who are only to be called by their names. @throws SlackError also when
 * enough was asked within a minute: whoever asks goes on with the id
 */
export function withinNameBudget(redis: RedisClient, source: ProfileSource): ProfileSource {
  const limits = { most: MOST_A_MINUTE, windowMs: MINUTE_MS }
  return async (user) => {
    const token = randomUUID()
    const lookUps = { lookUps: keys.nameLookUps }
    const isFree = await takeLookUp({ redis, now: undefined }, lookUps, { ...limits, token })
    if (isFree === 1) return source(user)
    throw new SlackError({ method: "users.info", verdict: "later", code: "enough_names" })
  }
}
