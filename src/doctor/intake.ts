import type { WebClient } from "@slack/web-api"
import type { LastSeenTimes } from "../redis/intake/last-seen.ts"
import { codeOf, TOKEN_CODES } from "../slack/verdict.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"

export type IntakeFacts =
  /** `code`: what Slack said when a connection was asked for, unless it gave one. */
  { mode: "socket"; code?: string } | HttpFacts

interface HttpFacts {
  mode: "http"
  /** The one address it listens on, if it does not on all. */
  bindAddress?: string
  /** Absent while Redis isn't responding. */
  lastSeen?: LastSeenTimes
}

/** Asks for a Socket Mode connection and does not open it. @param client made with the app token */
export async function readSocketMode(client: WebClient): Promise<IntakeFacts> {
  return { mode: "socket", ...(await client.apps.connections.open().then(() => ({}), codeOf)) }
}

/** Do commands and events come in? */
export function judgeIntake(intake: IntakeFacts): Finding {
  if (intake.mode === "http") return judgeRequestUrl(intake)
  const { code } = intake
  if (code === undefined) return ok("slack intake", "Socket Mode: SLACK_APP_TOKEN works")
  const refused =
    TOKEN_CODES.has(code) || code === "not_allowed_token_type" || code === "missing_scope"
  return fault(
    "slack intake",
    `Slack refused a Socket Mode connection (${code})`,
    refused
      ? 'Create an app-level token with connections:write on the app\'s "Basic Information" page and set it as SLACK_APP_TOKEN.'
      : 'Turn on Socket Mode on the app\'s "Socket Mode" page. If it is on, check that this machine can reach Slack.',
  )
}

/** A day without a word from Slack is normal in a quiet workspace; more is worth a look. ms */
const QUIET_MS = 7 * 86_400_000
const URL_STEP =
  "In the app's settings, the Request URL of Slash Commands, Event Subscriptions and Interactivity must be https://<your host>/slack/events and reach this bot."

/** Slack does not tell an app its request URL, so what Slack has done is the only evidence. */
function judgeRequestUrl({ lastSeen, bindAddress }: HttpFacts): Finding {
  if (!lastSeen)
    return warning(
      "slack intake",
      "HTTP: can't tell whether Slack reaches the bot, as Redis isn't responding",
      "Fix Redis first.",
    )
  const { now, signed = 0, unsigned = 0 } = lastSeen
  if (unsigned > signed)
    return warning(
      "slack intake",
      `HTTP: the last request to /slack/events, ${age(now - unsigned)} ago, was not signed with SLACK_SIGNING_SECRET`,
      'Anyone can call that address, so it may be nothing. If Slack sent it, copy the Signing Secret again from the app\'s "Basic Information" page.',
    )
  if (signed === 0)
    return warning(
      "slack intake",
      "HTTP: Slack hasn't reached the bot yet, and the doctor can't test that from here",
      `Start the bot and type /docs-agent help in Slack. ${URL_STEP}${behind(bindAddress)}`,
    )
  const says = `HTTP: Slack last reached the bot ${age(now - signed)} ago`
  return now - signed < QUIET_MS
    ? ok("slack intake", says)
    : warning("slack intake", says, `If people have used it since: ${URL_STEP}`)
}

function behind(bindAddress: string | undefined): string {
  return bindAddress
    ? ` BIND_ADDRESS is ${bindAddress}: your proxy must be able to reach that address.`
    : ""
}

function age(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 120) return minutes === 1 ? "a minute" : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
