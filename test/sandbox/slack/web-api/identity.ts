import { z } from "zod"
import { userObject } from "../workspace/api-objects.ts"
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
