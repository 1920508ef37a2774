import { createGate } from "./asking/access-rules.ts"
import { createOutsiders } from "./asking/outsiders.ts"
import type { Config } from "./config/config.ts"
import type { Timing } from "./config/timing.ts"
import type { Readers } from "./jobs/context.ts"
import type { Log } from "./lib/log.ts"
import type { SecretFilter } from "./lib/secret-filter.ts"
import type { instrumentSlack } from "./operating/metrics/count-calls.ts"
import { SlackClient } from "./slack/client.ts"
import { createSlackState, fetchIdentity } from "./slack/identity.ts"
import { createMembership } from "./slack/membership.ts"
import { cachedProfiles, fetchProfile } from "./slack/profiles.ts"
import { createPublicChannels } from "./slack/public-channel.ts"
import { createReadFile } from "./slack/read-file.ts"
import { createReadThread } from "./slack/read-thread.ts"
import { createOutbound } from "./slack/web-outbound.ts"
import type { RedisClient } from "./store/script.ts"

export function composeSlack(
  { slack: { botToken, apiUrl }, access }: Config,
  log: Log,
  { slackTimeoutMs: timeoutMs }: Timing,
  secrets: SecretFilter,
  { called }: ReturnType<typeof instrumentSlack>,
) {
  const onCall = (method: string, outcome: string) => {
    // A response_url needs no token, so its success proves nothing about the token.
    if (method !== "response_url" || outcome !== "ok") state.learn(outcome)
    called(method, outcome)
  }
  const slack = new SlackClient(botToken, apiUrl, log, { timeoutMs, secrets, onCall })
  const state = createSlackState(() => fetchIdentity(slack))
  const { whoWeAre, permalink } = state
  const readersOver = (redis: RedisClient): Readers => {
    const profileOf = cachedProfiles(redis, async (user) =>
      fetchProfile(slack, await whoWeAre(), user),
    )
    const outsidersAmong = createOutsiders(access, profileOf, whoWeAre)
    return {
      gate: createGate(access, profileOf),
      profileOf,
      readThread: createReadThread(slack, whoWeAre, profileOf, outsidersAmong),
      outsidersAmong,
      readFile: createReadFile(slack),
    }
  }
  return {
    state,
    unpaced: createOutbound(slack),
    ...createMembership(slack, () => state.identity?.scopes),
    whoWeAre,
    permalink,
    // "Declaring an app as an agent adds the assistant:write scope to it" (Agent sessions).
    isDeclared: () => state.identity?.scopes.includes("assistant:write") ?? false,
    readersOver,
    publicChannels: (redis: RedisClient) => createPublicChannels(slack, redis),
  }
}
