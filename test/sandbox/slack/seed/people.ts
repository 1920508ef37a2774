import type { Channel, Role, User } from "../workspace/model.ts"
import type { People } from "../workspace/workspace.ts"

/** Ids that tests, the page and a sandbox bot's settings can rely on. */
export const TEAM = "T0LOCAL001"
export const OTHER_TEAM = "T0OTHER001"

const APP = "A0DOCSAGENT"
const BOT = "B0DOCSAGENT"
export const BOT_USER = "U0DOCSAGENT"
/** Slack's own bot, of every workspace. */
export const SLACKBOT = "USLACKBOT"
/** User group `@writers`. */
export const WRITERS = "S0WRITERS1"

/** Members. */
export const ADA = "U0ADA00001"
export const BEN = "U0BEN00001"
/** Member who administers the workspace. */
export const CLEO = "U0CLEO0001"
/** Guest (`is_restricted`). */
export const GUS = "U0GUS00001"
/** Member of another workspace, in `SHARED`. */
export const EVE = "U0EVE00001"

/** Public channel with the bot. */
export const DOCS = "C0DOCS0001"
/** Public channel without the bot. */
export const RANDOM = "C0RANDOM01"
/** Private channel with the bot. */
export const EDITORS = "C0EDITORS1"
/** Private channel without the bot. */
export const LEADS = "C0LEADS001"
/** Archived channel; the bot was a member. */
export const OLD_DOCS = "C0OLDDOCS1"
/** Channel shared with another workspace (Slack Connect), with the bot. */
export const SHARED = "C0SHARED01"
/** Direct messages with the bot. */
export const ADA_DM = "D0ADA00001"
export const BEN_DM = "D0BEN00001"

/**
 * Returns new copies of the people and channels that every local Slack starts with.
 * @param shown whether Slack shows people's handles or their names
 */
export function people(team: string = TEAM, shown: "handles" | "names" = "handles"): People {
  const user = (id: string, name: string, realName: string, role: Role, tz: User["tz"]): User => {
    const teamId = role === "external" ? OTHER_TEAM : team
    const displayName = shown === "names" ? realName : name
    return { id, teamId, name, realName, displayName, role, tz }
  }
  return {
    team: { id: team, name: "Local Docs", domain: "local-docs" },
    bot: { appId: APP, botId: BOT, userId: BOT_USER },
    users: [
      user(BOT_USER, "docs-agent", "Docs Agent", "bot", "UTC"),
      user(SLACKBOT, "slackbot", "Slackbot", "bot", null),
      user(ADA, "ada", "Ada", "member", "Europe/Paris"),
      user(BEN, "ben", "Ben", "member", "America/New_York"),
      user(CLEO, "cleo", "Cleo", "admin", "Asia/Tokyo"),
      user(GUS, "gus", "Gus", "guest", "Europe/London"),
      user(EVE, "eve", "Eve", "external", "America/Los_Angeles"),
    ],
    channels: [
      channel(DOCS, "docs", [BOT_USER, ADA, BEN, CLEO, GUS], { topic: "What we write" }),
      channel(RANDOM, "random", [ADA, BEN, CLEO]),
      channel(EDITORS, "editors", [BOT_USER, ADA, CLEO], { kind: "private" }),
      channel(LEADS, "leads", [ADA, CLEO], { kind: "private" }),
      channel(OLD_DOCS, "old-docs", [BOT_USER, ADA, BEN], { archived: true }),
      channel(SHARED, "partners", [BOT_USER, ADA, BEN, EVE], { sharedWith: [OTHER_TEAM] }),
      channel(ADA_DM, "", [BOT_USER, ADA], { kind: "im" }),
      channel(BEN_DM, "", [BOT_USER, BEN], { kind: "im" }),
    ],
  }
}

function channel(
  id: string,
  name: string,
  members: readonly string[],
  rest: Partial<Channel> = {},
): Channel {
  const usual = { kind: "public", topic: "", sharedWith: [], archived: false } as const
  return { id, name, members: new Set(members), ...usual, ...rest }
}
