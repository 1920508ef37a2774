import type { Method } from "./method.ts"
import { tier3, tier4 } from "./rate-limits.ts"

export const apiTest: Method = {
  token: "none",
  scopes: [],
  limit: tier4,
  run(_core, args) {
    return Object.keys(args).length > 0 ? { args } : {}
  },
}

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

export const teamInfo: Method = {
  token: "bot",
  scopes: ["team:read"],
  limit: tier3,
  run({ workspace: { team } }) {
    return { team: { id: team.id, name: team.name, domain: team.domain, email_domain: "" } }
  },
}

export const botsInfo: Method = {
  token: "bot",
  scopes: ["users:read"],
  limit: tier3,
  run({ workspace: { bot, users } }) {
    const name = users.get(bot.userId)?.realName ?? ""
    const { botId: id, appId: app_id, userId: user_id } = bot
    return { bot: { id, deleted: false, name, updated: 0, app_id, user_id } }
  },
}
