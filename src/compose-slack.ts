import { createOutsiders } from "./asking/access-rules.ts"
import { type BotSettings, STOPPING } from "./config/config.ts"
import { messageTitle, openThread } from "./following/agent-session.ts"
import type { SlackSide } from "./jobs/context.ts"
import type { Log } from "./lib/log.ts"
import type { SecretFilter } from "./lib/secrets.ts"
import { createReadFile } from "./slack/accepted-text-files.ts"
import { createMembership, createPublicChannels } from "./slack/channel-membership.ts"
import { type OnCall, SlackClient } from "./slack/client.ts"
import { createSlackState, fetchIdentity } from "./slack/identity.ts"
import { cachedProfiles, fetchProfile } from "./slack/profiles.ts"
import { atPace } from "./slack/rate-limits.ts"
import { createReadThread } from "./slack/read-thread.ts"
import { createOutbound, type Outbound } from "./slack/write-to-slack.ts"
import type { Store } from "./store/script.ts"

export type SlackConnection = ReturnType<typeof connectSlack>

/** Builds the client of Slack, and what it has learned of the bot. */
export function connectSlack(
  { slack: { botToken, apiUrl }, timing: { slackTimeoutMs: timeoutMs } }: BotSettings,
  log: Log,
  secrets: SecretFilter,
  called: OnCall,
) {
  const onCall: OnCall = (method, outcome) => {
    // A response_url needs no token, so its success proves nothing about the token.
    if (method !== "response_url" || outcome !== "ok") state.learn(outcome)
    called(method, outcome)
  }
  const client = new SlackClient(botToken, apiUrl, log, { timeoutMs, secrets, onCall })
  const state = createSlackState(() => fetchIdentity(client))
  return { client, state }
}

/** Builds what the bot does in Slack, with what it keeps of that in this Redis. */
export function slackOver(
  store: Store,
  { client, state }: SlackConnection,
  { access, timing }: BotSettings,
): SlackSide {
  const { whoWeAre } = state
  const unpaced = createOutbound(client)
  const open = (of: { channel: string; thread: string }, title?: string) =>
    openThread(store, { outbound: unpaced, state }, of, title)
  const paced = atPace(unpaced, store, {
    rates: timing.rates,
    // A stopping process has no longer, and every lease outlasts it.
    maxWaitMs: STOPPING.workMs,
  })
  const outbound: Outbound = {
    ...paced,
    /** Gives each message to a person a title, where Slack shows an agent's messages as threads. */
    async direct(user, message) {
      const { channel, ts } = await paced.direct(user, message)
      await open({ channel, thread: ts }, messageTitle(message))
      return { channel, ts }
    },
  }
  const profileOf = cachedProfiles(store.redis, async (user) =>
    fetchProfile(client, await whoWeAre(), user),
  )
  const outsidersAmong = createOutsiders(access, profileOf, whoWeAre)
  const places = {
    ...createMembership(client, () => state.identity?.scopes),
    isPublic: createPublicChannels(client),
    openThread: open,
  }
  return {
    outbound,
    unpaced,
    state,
    places,
    profileOf,
    readThread: createReadThread(client, whoWeAre, profileOf, outsidersAmong),
    readFile: createReadFile(client),
    outsidersAmong,
  }
}
