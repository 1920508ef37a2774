import type { Channel, Role, User } from "../workspace/model.ts"
import type { People } from "../workspace/workspace.ts"
import {
  ADA,
  ADA_DM,
  APP,
  BEN,
  BEN_DM,
  BOT,
  BOT_USER,
  CLEO,
  DOCS,
  EDITORS,
  EVE,
  GUS,
  LEADS,
  OLD_DOCS,
  OTHER_TEAM,
  RANDOM,
  SHARED,
  SLACKBOT,
  TEAM,
} from "./ids.ts"

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
