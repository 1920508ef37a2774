import type { Profile } from "../access/rules.ts"
import type { Message } from "../ports/message.ts"
import { refusedMessage } from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"

/** Somebody, and where they want something done. */
export interface Who {
  user: string
  channel?: string | undefined
}

/** Asked by every entry before it spends, changes or shows anything: is this person let in here? */
export async function admit(
  { gate, rules }: Pick<AgentDeps, "gate" | "rules">,
  { user, channel }: Who,
): Promise<{ profile: Profile } | { refusal: Message }> {
  const entry = await gate({ user, channel })
  return entry.allowed
    ? { profile: entry.profile }
    : { refusal: refusedMessage(entry.refusal, user, [...rules.admins]) }
}
