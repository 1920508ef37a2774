import type { Profile } from "../access/rules.ts"
import { orSlackError } from "../errors/slack-error.ts"
import { refusedAccess } from "../messages/refusals.ts"
import type { Message } from "../ports/message.ts"
import type { AgentDeps } from "./deps.ts"

/** Somebody, and where they want something done. */
interface Who {
  user: string
  channel?: string | undefined
}

/**
 * Asks before anything is shown or changed whether this person is let in here. A request is made durable
 * first, and the worker asks the same before its card.
 */
export async function admit(
  { gate, admins }: Pick<AgentDeps, "gate" | "admins">,
  { user, channel }: Who,
): Promise<{ profile: Profile } | { refusal: Message }> {
  const entry = await gate({ user, channel }).catch((error: unknown) => {
    orSlackError(error)
    return { refusal: "unclear" as const }
  })
  if ("profile" in entry) return entry
  return { refusal: refusedAccess(entry.refusal, { user, admins }) }
}
