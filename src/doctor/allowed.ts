import type { WebClient } from "@slack/web-api"
import type { Config } from "../config/config.ts"
import { isUserId } from "../config/ids.ts"
import type { Identity } from "../slack/identity.ts"
import { fetchProfile } from "../slack/profiles.ts"
import { codeOf } from "../slack/verdict.ts"
import { type Finding, fault, NO_ID, ok, warning } from "./finding.ts"

/** A person of ALLOWED_USERS. */
export interface AllowedFacts {
  user: string
  /** `outsider`: a guest or somebody of another workspace, where those are not let in. */
  standing: "member" | "not_a_person" | "outsider" | { code: string }
}

/** People who are looked up: of a longer list the rest is taken on trust, as each is a question to Slack. */
const MOST_LOOKED_UP = 50

export function readAllowed(
  client: WebClient,
  home: Identity,
  { access }: Config,
): Promise<AllowedFacts[]> {
  return Promise.all(
    [...access.users].slice(0, MOST_LOOKED_UP).map(async (user) => {
      if (!isUserId(user)) return { user, standing: NO_ID }
      const profile = await fetchProfile(client, home, user).catch(codeOf)
      if ("code" in profile) return { user, standing: profile }
      if (profile.isBot) return { user, standing: "not_a_person" as const }
      const isOutsider = (profile.isGuest || profile.isStranger) && !access.allowExternal
      return { user, standing: isOutsider ? ("outsider" as const) : ("member" as const) }
    }),
  )
}

/** Does the list let anybody in, and is everybody on it somebody? */
export function judgeAllowed(people: readonly AllowedFacts[]): Finding[] {
  if (people.length === 0) return []
  const wrong = people.filter(({ standing }) => standing !== "member")
  if (wrong.length === 0)
    return [ok("people", `ALLOWED_USERS: ${people.length} found in the workspace`)]
  const names = wrong.map(({ user, standing }) => `${user} ${words(standing)}`).join(", ")
  const next =
    "Correct ALLOWED_USERS (profile → ⋮ → Copy member ID); leave it unset to let everyone in."
  // Where Slack did not tell, somebody may yet be let in.
  const nobody = people.every(({ standing }) => isRefused(standing))
  return [
    nobody
      ? fault("people", `ALLOWED_USERS lets nobody in: ${names}`, next)
      : warning("people", `ALLOWED_USERS: ${names}`, next),
  ]
}

function isRefused(standing: AllowedFacts["standing"]): boolean {
  if (typeof standing !== "object") return standing !== "member"
  return standing.code === "user_not_found" || standing.code === NO_ID.code
}

function words(standing: AllowedFacts["standing"]): string {
  if (standing === "not_a_person") return "is deactivated or an app"
  if (standing === "outsider") return "is a guest or of another workspace (ALLOW_EXTERNAL_USERS)"
  const code = typeof standing === "object" ? standing.code : ""
  if (code === NO_ID.code) return "can't be a Slack ID"
  return code === "user_not_found" ? "isn't in this workspace" : `couldn't be looked up (${code})`
}
