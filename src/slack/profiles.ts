import { z } from "zod"
import type { Profile } from "../access/rules.ts"
import type { SlackClient } from "./client.ts"
import { parseAnswer } from "./verdict.ts"

const userInfo = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    enterprise_user: z.object({ enterprise_id: z.string().optional() }).optional(),
    is_restricted: z.boolean().default(false),
    is_ultra_restricted: z.boolean().default(false),
    is_stranger: z.boolean().default(false),
    is_bot: z.boolean().default(false),
    deleted: z.boolean().default(false),
    tz: z.string().default("UTC"),
    name: z.string().default(""),
    real_name: z.string().optional(),
    profile: z
      .object({ display_name: z.string().optional(), real_name: z.string().optional() })
      .optional(),
  }),
})

export async function fetchProfile(
  client: SlackClient,
  home: { team: string; enterprise: string | undefined },
  user: string,
): Promise<Profile> {
  const { user: u } = parseAnswer("users.info", userInfo, await client.users.info({ user }))
  const sameOrg =
    home.enterprise !== undefined && u.enterprise_user?.enterprise_id === home.enterprise
  return {
    user: u.id,
    name: u.profile?.display_name || u.real_name || u.profile?.real_name || u.name || u.id,
    isGuest: u.is_restricted || u.is_ultra_restricted,
    isStranger: u.is_stranger || (u.team_id !== undefined && u.team_id !== home.team && !sameOrg),
    isBot: u.is_bot || u.deleted,
    timeZone: u.tz,
  }
}
