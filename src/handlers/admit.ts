import type { Profile } from "../access/rules.ts"
import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import { refusedMessage } from "../views/request-messages.ts"
import type { AgentDeps } from "./deps.ts"

/** Somebody, and where they want something done. */
interface Who {
  user: string
  channel?: string | undefined
}

/** Slack takes its time to say who somebody is, and nothing was done yet: the payload is deferred. */
export class SlackIsSlow extends Error {
  override name = "SlackIsSlow"
}

/**
 * Asked by every entry before it spends, changes or shows anything: is this person let in here?
 * @throws SlackIsSlow nothing was done yet
 */
export async function admit(
  { gate, rules }: Pick<AgentDeps, "gate" | "rules">,
  { user, channel }: Who,
): Promise<{ profile: Profile } | { refusal: Message }> {
  const entry = await gate({ user, channel })
  if (entry.allowed) return { profile: entry.profile }
  if ("error" in entry) unlessSlow(entry.error)
  return { refusal: refusedMessage(entry.refusal, user, [...rules.admins]) }
}

/** For `catch` of what is asked of Slack. @throws SlackIsSlow, or the error that it is */
export function orSlow(error: unknown): never {
  unlessSlow(error)
  throw error
}

function unlessSlow(error: unknown): void {
  if (error instanceof SlackError && error.code === "slow") throw new SlackIsSlow()
}

/** With all the time that Slack takes. */
export function patiently<Deps extends { agent: AgentDeps }>(deps: Deps): Deps {
  return { ...deps, agent: { ...deps.agent, ...deps.agent.afterAck } }
}
