import { createGate, type ProfileSource } from "../access/gate.ts"
import type { Config } from "../config/config.ts"
import type { Timing } from "../config/timing.ts"
import { tooLate } from "../errors/slack-error.ts"
import type { instrumentSlack } from "../instrumentation/slack.ts"
import type { Readers } from "../jobs/prepare.ts"
import { withinNameBudget } from "../redis/people/name-lookups.ts"
import { cachedProfiles } from "../redis/people/profiles.ts"
import type { RedisClient } from "../redis/script.ts"
import type { Log } from "../runtime/log.ts"
import { withTimeout } from "../runtime/with-timeout.ts"
import { createWebClient } from "../slack/client.ts"
import { fetchIdentity } from "../slack/identity.ts"
import { createIsOutside } from "../slack/is-outside.ts"
import { createIsOwnDirect } from "../slack/own-direct.ts"
import { fetchProfile } from "../slack/profiles.ts"
import { createReadFile } from "../slack/read-file.ts"
import { createReadTalk } from "../slack/read-talk.ts"
import { createSlackState, learnFrom } from "../slack/state.ts"
import { createOutbound } from "../slack/web-outbound.ts"
import type { SecretFilter } from "../text/secret-filter.ts"

/** What it is built from. */
interface SlackOptions {
  log: Log
  timing: Timing
  secrets: SecretFilter
  instrumentation: ReturnType<typeof instrumentSlack>
  /** Profiles are kept for a while, over either connection. */
  requestRedis: RedisClient
  workerRedis: RedisClient
}

/** Slack as the handlers and the worker need it: who people are, what they said, and the writer. */
export function createSlackServices(
  { slack: { botToken, apiUrl }, access }: Config,
  { log, timing, secrets, instrumentation, requestRedis, workerRedis }: SlackOptions,
) {
  const { reading } = instrumentation
  const slack = createWebClient(botToken, apiUrl, log, {
    timeoutMs: timing.slackTimeoutMs,
    secrets,
  })
  const slackState = createSlackState(() => reading("auth.test", () => fetchIdentity(slack)))
  const outbound = createOutbound(
    slack,
    (method, outcome) => {
      learnFrom(slackState, outcome)
      instrumentation.called(method, outcome)
    },
    secrets,
  )
  /** Asks Slack once and whenever it did not answer yet. Throws SlackError. */
  const whoWeAre = async () => slackState.identity ?? slackState.refresh()
  const promptlyWhoWeAre = async () =>
    slackState.identity ?? withTimeout(timing.profileWithinMs, whoWeAre(), tooLate("auth.test"))
  const profileSource: ProfileSource = async (user) => {
    const home = await whoWeAre()
    return reading("users.info", () => fetchProfile(slack, home, user))
  }
  const patience = { withinMs: timing.profileWithinMs }
  const profiles = cachedProfiles(requestRedis, profileSource, patience)
  const profilesForNames = (redis: RedisClient) =>
    cachedProfiles(redis, withinNameBudget(redis, profileSource), patience)
  const forNames = profilesForNames(requestRedis)
  const readTalk = createReadTalk(slack, whoWeAre, profilesForNames(workerRedis).patiently)
  const readFile = createReadFile(slack, botToken)
  return {
    slack,
    slackState,
    outbound,
    isOwnDirect: createIsOwnDirect(slack),
    isOutside: createIsOutside(slack, () => slackState.identity?.scopes ?? []),
    /** Hears soon that Slack is slow: an acknowledgement waits for it. */
    beforeAck: {
      gate: createGate(access, profiles.promptly),
      profileForName: forNames.promptly,
      whoWeAre: promptlyWhoWeAre,
    },
    /** Waits for Slack as long as the client does. */
    afterAck: {
      gate: createGate(access, profiles.patiently),
      profileForName: forNames.patiently,
      whoWeAre,
    },
    profileOf: profiles.patiently,
    readers: {
      readTalk: (place, range) => reading("conversations.replies", () => readTalk(place, range)),
      readFile: (file, signal) => reading("files.info", () => readFile(file, signal)),
    } satisfies Readers,
  }
}
