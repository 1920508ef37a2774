import type { WebClient } from "@slack/web-api"
import type { Config } from "../config/config.ts"
import type { Sample } from "../ports/message.ts"
import type { SurfaceState } from "../sessions/ports.ts"
import { fetchIdentity } from "../slack/identity.ts"
import { missingScopes, OPTIONAL_SCOPES, SCOPES } from "../slack/scopes.ts"
import { codeOf, TOKEN_CODES } from "../slack/verdict.ts"
import { type AllowedFacts, judgeAllowed, readAllowed } from "./allowed.ts"
import { type BlocksFacts, judgeBlocks, readBlocks } from "./blocks.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"
import { type IntakeFacts, judgeIntake } from "./intake.ts"
import {
  type AdminFacts,
  type ChannelFacts,
  judgeAdmins,
  judgeChannels,
  namedChannels,
  readAdmin,
  readChannel,
} from "./people.ts"
import { judgeSurface } from "./surface.ts"

export interface SlackFacts {
  token: { team: string; bot: string } | { code: string }
  /** Empty when Slack does not tell. Absent with a refused token, like the rest below. */
  scopes?: readonly string[]
  intake: IntakeFacts
  admins?: readonly AdminFacts[]
  allowed?: readonly AllowedFacts[]
  channels?: readonly ChannelFacts[]
  blocks?: BlocksFacts
  /** Absent while Redis does not answer. */
  surface?: SurfaceState
}

/** What is read elsewhere, and what Slack is shown. */
interface Known {
  intake: Promise<IntakeFacts>
  surface: Promise<SurfaceState> | undefined
  samples: readonly Sample[]
}

/** Asks Slack about the bot, the people and the places it is configured with. Never throws. */
export async function readSlack(
  client: WebClient,
  config: Config,
  { samples, ...known }: Known,
): Promise<SlackFacts> {
  const [me, intake, surface] = await Promise.all([
    fetchIdentity(client).catch(codeOf),
    known.intake,
    known.surface,
  ])
  if ("code" in me) return { token: me, intake }
  const [admins, allowed, channels, blocks] = await Promise.all([
    Promise.all([...config.access.admins].map((user) => readAdmin(client, me, user))),
    readAllowed(client, me, config),
    Promise.all(namedChannels(config).map((named) => readChannel(client, named))),
    readBlocks(client, samples),
  ])
  const token = { team: me.team, bot: me.user }
  const seen = { token, scopes: me.scopes, intake, admins, allowed, channels, blocks }
  return surface ? { ...seen, surface } : seen
}

export function judgeSlack(slack: SlackFacts): Finding[] {
  return [
    judgeToken(slack.token),
    ...(slack.scopes ? [judgeScopes(slack.scopes), ...judgeOptional(slack.scopes)] : []),
    ...(slack.blocks ? [judgeBlocks(slack.blocks)] : []),
    judgeIntake(slack.intake),
    ...(slack.scopes ? [judgeSurface(slack.surface)] : []),
    ...(slack.admins ? judgeAdmins(slack.admins) : []),
    ...(slack.allowed ? judgeAllowed(slack.allowed) : []),
    ...(slack.channels ? judgeChannels(slack.channels, slack.scopes ?? []) : []),
  ]
}

function judgeToken(token: SlackFacts["token"]): Finding {
  if ("team" in token)
    return ok(
      "slack token",
      `SLACK_BOT_TOKEN belongs to bot ${token.bot} in workspace ${token.team}`,
    )
  if (TOKEN_CODES.has(token.code))
    return fault(
      "slack token",
      `Slack rejected SLACK_BOT_TOKEN (${token.code})`,
      'Copy the Bot User OAuth Token again from the app\'s "OAuth & Permissions" page; reinstall the app there if it was removed.',
    )
  return fault(
    "slack token",
    `Slack didn't say who the bot is (${token.code})`,
    "Check that this machine can reach SLACK_API_URL over HTTPS, including through any proxy. Then run the doctor again.",
  )
}

function judgeScopes(granted: readonly string[]): Finding {
  if (granted.length === 0)
    return warning(
      "slack scopes",
      "Slack doesn't say which permissions the token has",
      'Compare the app\'s "OAuth & Permissions" page with manifest.yml.',
    )
  const missing = missingScopes(granted)
  if (missing.length > 0)
    return fault(
      "slack scopes",
      `The token lacks ${missing.map((scope) => `${scope} (${SCOPES[scope]})`).join(", ")}`,
      'Paste manifest.yml into the app\'s "App Manifest" page, save, and reinstall the app.',
    )
  return ok("slack scopes", `The token has all ${Object.keys(SCOPES).length} permissions it needs`)
}

/** Neither with them nor without is anything wrong. */
function judgeOptional(granted: readonly string[]): Finding[] {
  if (granted.length === 0) return []
  const each = Object.entries(OPTIONAL_SCOPES).map(([scope, what]) =>
    granted.includes(scope) ? `with ${scope}` : `without ${scope} (${what})`,
  )
  return [ok("slack options", `Optional permissions: ${each.join(", ")}`)]
}
