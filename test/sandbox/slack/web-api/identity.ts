import type { Method } from "./method.ts"
import { tier1, tier4 } from "./rate-limits.ts"

export const authTest: Method = {
  token: "bot",
  scopes: [],
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
  scopes: [],
  limit: tier1,
  run: ({ sockets }) => ({ url: sockets.ticketUrl() }),
}
