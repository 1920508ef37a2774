import type { Config } from "../../config/config.ts"
import type { Log } from "../../lib/log.ts"
import type { Secret } from "../../lib/secrets.ts"
import { DAY_MS } from "../../lib/time.ts"
import { FAULTS, type Setup } from "../../messages/fault-words.ts"
import { type OnCall, SlackClient } from "../../slack/client.ts"
import { fetchIdentity, type Identity } from "../../slack/identity.ts"
import { fetchProfile } from "../../slack/profiles.ts"
import { OPTIONAL_SCOPES, SCOPES } from "../../slack/scopes.ts"
import { APP_TOKEN_CODES, orSlackError, refusalOf, TOKEN_CODES } from "../../slack/slack-error.ts"
import { key } from "../../store/redis-keys.ts"
import type { RedisClient } from "../../store/script.ts"
import { whyUnusable } from "../../store/server-state.ts"
import { about, type Finding } from "./finding.ts"
import { whyNoConnection } from "./proxies-and-certificates.ts"

const token = about("slack token")
const permissions = about("slack permissions")
const intake = about("slack requests")

/** Returns the next step after a failed call; a rate limit says nothing about the setup. */
const orLater = (code: string, next: string) =>
  code === "ratelimited" ? "Run the doctor again in a minute." : next

/** Checks the token, its scopes, and whether requests come in. */
export async function checkSlack(
  { slack, access, isInContainer }: Config,
  redis: RedisClient | undefined,
  log: Log,
  onCall?: OnCall,
): Promise<Finding[]> {
  const clientOf = (secret: Secret) => new SlackClient(secret, slack.apiUrl, log, { onCall })
  const [me, requests] = await Promise.all([
    fetchIdentity(clientOf(slack.botToken)).catch(orSlackError),
    slack.mode === "socket"
      ? checkSocket(clientOf(slack.appToken), { isInContainer })
      : checkRequests(redis),
  ])
  if ("code" in me) {
    const party = { name: "Slack", url: slack.apiUrl, setting: "SLACK_API_URL" }
    const unreached = whyNoConnection(me.cause, party)
    if (unreached) return [token.fault(unreached.says, unreached.next)]
    // The same fault keeps the token and Socket Mode from being checked.
    const isAway = me.code === "unreachable" || me.code === "no_answer"
    const more = isAway && slack.mode === "socket" ? [] : [requests]
    return [tokenFault(me.code, { isInContainer }), ...more]
  }
  const says = `SLACK_BOT_TOKEN belongs to ${me.userName} in workspace ${me.teamName}`
  const taken = redis && (await whyUnusable(redis, [], me.team))
  const mixed = taken ? [about("redis").fault(taken.says, taken.next)] : []
  const admins = await adminsInDoubt(clientOf(slack.botToken), me, access)
  return [token.ok(says), ...mixed, checkScopes(slack, me.scopes), requests, ...admins]
}

function tokenFault(code: string, setup: Setup): Finding {
  const { is, next } = FAULTS.bot_token
  if (TOKEN_CODES.has(code))
    return token.fault(
      `${is(setup)} (${code})`,
      `${next(setup)} If the app was removed, reinstall it there first.`,
    )
  const check =
    "Check SLACK_API_URL, and make sure the machine Docs Agent runs on can reach it over HTTPS, including through any proxy. Then run the doctor again."
  return token.fault(`Couldn't verify SLACK_BOT_TOKEN (${code})`, orLater(code, check))
}

/** Looks for admins who get no notice or may not act: unknown, deactivated, a bot or a guest. */
export async function adminsInDoubt(
  client: SlackClient,
  home: Identity,
  { admins, allowExternal }: Config["access"],
): Promise<Finding[]> {
  const unknown = await Promise.all(
    admins.map(async (user) => {
      const profile = await fetchProfile(client, home, user).catch(orSlackError)
      if ("code" in profile) return profile.code === "user_not_found" ? [user] : []
      const isOut = profile.isGuest || profile.isStranger
      return profile.isBot || (isOut && !allowExternal) ? [user] : []
    }),
  )
  const names = unknown.flat()
  if (names.length === 0) return []
  return [
    about("admins").warning(
      `ADMIN_USERS lists ${names.join(", ")}, whom Slack doesn't know as an active member`,
      "Correct the member ID (profile → ⋮ → Copy member ID), or remove it.",
    ),
  ]
}

export function checkScopes({ mode }: Config["slack"], granted: readonly string[]): Finding {
  const manifest = `node dist/main.js manifest${mode === "http" ? " --host <your host>" : ""}`
  const agent = granted.includes("assistant:write") ? " --agent" : ""
  const next = `Print the manifest with "${manifest}${agent}", paste it into the app's "App Manifest" page, save, and reinstall the app.`
  if (granted.length === 0)
    return permissions.warning("Couldn't read the token's permissions", next)
  const missing = Object.entries(SCOPES).filter(([scope]) => !granted.includes(scope))
  if (missing.length > 0) {
    const names = missing.map(([scope, purpose]) => `${scope} (${purpose})`).join(", ")
    return permissions.fault(`The token lacks ${names}`, next)
  }
  const optional = Object.entries(OPTIONAL_SCOPES).map(([scope, what]) =>
    granted.includes(scope) ? `${scope} granted` : `${scope} missing (${what})`,
  )
  return permissions.ok(`The token has all required permissions. Optional: ${optional.join("; ")}`)
}

/** Requests the address of a Socket Mode connection without opening it. */
async function checkSocket(client: SlackClient, setup: Setup): Promise<Finding> {
  const refused = await refusalOf(client.apps.connections.open())
  if (!refused) return intake.ok("Socket Mode: SLACK_APP_TOKEN works")
  const { code } = refused
  if (APP_TOKEN_CODES.has(code))
    return intake.fault(`${FAULTS.app_token.is(setup)} (${code})`, FAULTS.app_token.next(setup))
  const next =
    'Turn on Socket Mode on the app\'s "Socket Mode" page. If it already is, check that the machine Docs Agent runs on can reach Slack.'
  return intake.fault(`Couldn't open a Socket Mode connection (${code})`, orLater(code, next))
}

/** Reports the last request, the only evidence that Slack has the right URL and the bot its secret. */
async function checkRequests(redis: RedisClient | undefined): Promise<Finding> {
  if (!redis)
    return intake.warning("HTTP: not checked", "Run the doctor again once Redis is running.")
  const last = await createLastSeen(redis).read()
  if (last === "signed") return intake.ok("HTTP: Slack's requests reach Docs Agent")
  if (last === "unsigned")
    return intake.warning(
      "HTTP: the last request to /slack/events wasn't signed with SLACK_SIGNING_SECRET",
      'If commands work in Slack, ignore this: it came from somewhere else. If they fail, copy the Signing Secret again from the app\'s "Basic Information" page, and check the clock where Docs Agent runs.',
    )
  return intake.warning(
    "HTTP: Slack hasn't reached Docs Agent yet, and the doctor can't test that from here",
    `Start Docs Agent and type /docs-agent help in Slack. Check the Request URL under Slash Commands, Event Subscriptions and Interactivity: it must be https://<your host>/slack/events, and it must reach Docs Agent.`,
  )
}

/** Minimum ms between two writes of the same, so that forged requests in bulk barely load Redis. */
const EVERY_MS = 60_000
const KEEP_MS = 30 * DAY_MS
const LAST = key("heard", "last")

/** Creates the record of the last request, which alone proves that Slack reaches the bot. */
export function createLastSeen(redis: RedisClient) {
  let written = { signed: false, at: Number.NEGATIVE_INFINITY }
  return {
    /** Records that a request came in, signed by Slack or not. Never throws and never waits. */
    note(signed: boolean): void {
      const at = performance.now()
      if (signed === written.signed && at - written.at < EVERY_MS) return
      written = { signed, at }
      // Nothing depends on this write. If Redis is unavailable, a later request writes again.
      redis.set(LAST, signed ? "signed" : "unsigned", "PX", KEEP_MS).catch(() => {})
    },

    /** Returns `signed` or `unsigned`; null if no request came in for 30 days. */
    read: () => redis.get(LAST),
  }
}
