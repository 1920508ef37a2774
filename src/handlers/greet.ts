import { orSlackError } from "../errors/slack-error.ts"
import { isNotOffered } from "../sessions/refusal.ts"
import type { HomeOpened } from "../slack/payload-events.ts"
import { greeting, SUGGESTED_PROMPTS } from "../views/greeting.ts"
import { publishHome } from "./actions.ts"
import { admit, patiently } from "./admit.ts"
import type { Reply } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"

/** Somebody opened a tab of the app. */
export async function openHome(deps: AgentDeps, opened: HomeOpened): Promise<Reply> {
  if (opened.tab === "messages") return { work: () => greet(deps, opened), unasked: true }
  return opened.tab === "home" ? { work: () => publishHome(deps, opened.user) } : {}
}

/**
 * Somebody opened the tab where people write to the agent: they are told once what to ask for.
 * Slack sends the same event to apps that are no agents, so the suggested prompts are set first:
 * where Slack takes none, nothing is said.
 */
async function greet(deps: AgentDeps, { user, direct: channel }: HomeOpened): Promise<void> {
  const { greeted, outbound, sessions } = deps
  if (!channel || (await sessions.surfaceState()).state === "off") return
  const entry = await admit(patiently({ agent: deps }).agent, { user })
  if ("refusal" in entry || !(await greeted.begin(user))) return
  if (!(await offered(deps, channel))) return greeted.undo(user)
  await sessions.accepted()
  const error = await outbound.post({ channel }, greeting()).then(() => undefined, orSlackError)
  // A greeting that may have been posted after all is not repeated.
  if (error && error.verdict !== "unknown") await greeted.undo(user)
}

/** Does Slack take the suggested prompts? */
async function offered({ sessions, outbound, onSurfaceOff }: AgentDeps, channel: string) {
  if (!(await sessions.mayTry())) return false
  const error = await outbound
    .suggestPrompts(channel, SUGGESTED_PROMPTS)
    .then(() => undefined, orSlackError)
  if (error && isNotOffered(error.code) && (await sessions.refused(error.code)))
    onSurfaceOff(error.code)
  return error === undefined
}
