import { admit } from "../asking/admit.ts"
import { adminsOnly } from "../messages/private-answers.ts"
import type { Profile } from "../slack/profiles.ts"
import type { Reply } from "./acknowledge.ts"
import type { AgentDeps } from "./deps.ts"

interface Person {
  user: string
  channel?: string | undefined
}
type Answer<From, More extends unknown[] = []> = (
  deps: AgentDeps,
  from: From,
  ...more: More
) => Promise<Reply>

/** Checks access at every command and click, because everybody in the channel sees the buttons. */
export function admitted<From extends Person>(answer: Answer<From, [Profile]>): Answer<From> {
  return async (deps, from) => {
    const entry = await admit(deps.context, from)
    return "refusal" in entry ? { ack: entry.refusal } : answer(deps, from, entry.profile)
  }
}

/** Lets only admins do something. @param what as in "Only an admin can …" */
export function forAdmins<From extends Person>(what: string, answer: Answer<From>): Answer<From> {
  return async (deps, from) => {
    const { admins } = deps.context.settings.access
    return admins.includes(from.user) ? answer(deps, from) : { ack: adminsOnly(admins, what) }
  }
}
