import { z } from "zod"
import type { JsonObject } from "../../kit/json.ts"
import { SLACKBOT } from "../seed/people.ts"
import type { User } from "../workspace/model.ts"
import { ApiError, checkArguments, id, type Method } from "./method.ts"
import { tier1, tier4 } from "./rate-limits.ts"

export const authTest: Method = {
  limit: tier4,
  run({ workspace }) {
    const { team, bot, users } = workspace
    return {
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: users.get(bot.userId)?.name ?? "",
      team_id: team.id,
      user_id: bot.userId,
      bot_id: bot.botId,
      is_enterprise_install: false,
    }
  },
}

/** Returns the address of one Socket Mode connection. */
export const appsConnectionsOpen: Method = {
  token: "app",
  limit: tier1,
  run: ({ sockets }) => ({ url: sockets.ticketUrl() }),
}

export const usersInfo: Method = {
  scopes: ["users:read"],
  limit: tier4,
  run(core, args) {
    const { user: userId } = checkArguments(z.object({ user: id }), args)
    const user = core.workspace.users.get(userId)
    if (user === undefined) throw new ApiError("user_not_found")
    return { user: userObject(user) }
  },
}

function userObject(user: User): JsonObject {
  return {
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    deleted: false,
    real_name: user.realName,
    tz: user.tz,
    profile: { real_name: user.realName, display_name: user.displayName },
    is_restricted: user.role === "guest",
    is_ultra_restricted: false,
    // Slack counts its own bot as a person: "USLACKBOT" has `is_bot: false` and no time zone.
    is_bot: user.role === "bot" && user.id !== SLACKBOT,
    // Slack says this only of people in no channel that the app is in.
    is_stranger: false,
  }
}
