import { createGate, type ProfileSource } from "./access/gate.ts"
import { cachedProfiles } from "./access/profiles.ts"
import type { Config } from "./config/config.ts"
import type { Timing } from "./config/timing.ts"
import type { PrepareDeps } from "./jobs/prepare.ts"
import type { instrumentSlack } from "./metrics/slack.ts"
import type { Log } from "./runtime/log.ts"
import { SlackClient } from "./slack/client.ts"
import { createSlackState, fetchIdentity } from "./slack/identity.ts"
import { createMembership } from "./slack/membership.ts"
import { fetchProfile } from "./slack/profiles.ts"
import { createReadFile } from "./slack/read-file.ts"
import { createReadTalk } from "./slack/read-talk.ts"
import { createOutbound } from "./slack/web-outbound.ts"
import type { RedisClient } from "./store/script.ts"
import type { SecretFilter } from "./text/secret-filter.ts"

/** The source it is built from. */
interface SlackOptions {
  log: Log
  timing: Timing
  secrets: SecretFilter
  instrumentation: ReturnType<typeof instrumentSlack>
  /** Profiles are kept for a while, over either connection. */
  requestRedis: RedisClient
}

/** Slack as the handlers and the worker need it: who people are, what they said, and the writer. */
export function createSlackServices(
  { slack: { botToken, apiUrl }, access }: Config,
  { log, timing, secrets, instrumentation, requestRedis }: SlackOptions,
) {
  const { reading } = instrumentation
  const slack = new SlackClient(botToken, apiUrl, log, {
    timeoutMs: timing.slackTimeoutMs,
    secrets,
  })
  const slackState = createSlackState(() => reading("auth.test", () => fetchIdentity(slack)))
  const outbound = createOutbound(slack, (method, outcome) => {
    slackState.learn(outcome)
    instrumentation.called(method, outcome)
  })
  /** Asks Slack once and whenever it did not answer yet. Throws SlackError. */
  const whoWeAre = async () => slackState.identity ?? slackState.refresh()
  const profileSource: ProfileSource = async (user) => {
    const home = await whoWeAre()
    return reading("users.info", () => fetchProfile(slack, home, user))
  }
  const profileOf = cachedProfiles(requestRedis, profileSource)
  /** Who somebody is, and what they refer to, with profiles kept in this connection's Redis. */
  const readersOver = (redis: RedisClient): PrepareDeps => {
    const profilesHere = cachedProfiles(redis, profileSource)
    const isOutsider = async (user: string) => {
      if (access.allowExternal) return false
      const { isGuest, isStranger } = await profilesHere(user)
      return isGuest || isStranger
    }
    const readTalk = createReadTalk(slack, whoWeAre, profilesHere, isOutsider)
    const readFile = createReadFile(slack)
    return {
      gate: createGate(access, profilesHere),
      profileOf: profilesHere,
      readTalk: (place, range) => reading("conversations.replies", () => readTalk(place, range)),
      readFile: (file, signal) => reading("files.info", () => readFile(file, signal)),
    }
  }
  return {
    slack,
    slackState,
    outbound,
    ...createMembership(slack, () => slackState.identity?.scopes),
    whoWeAre,
    profileOf,
    readersOver,
  }
}
