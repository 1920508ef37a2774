import type { App } from "@slack/bolt"
import { deliveryOf, readHome, readMessage, readStop } from "../../slack/payloads.ts"
import { publishHome } from "../actions/home.ts"
import { admit } from "../admit.ts"
import { answerClick, answerMessage, type Reply, type RouteDeps } from "../answer.ts"
import type { AgentDeps } from "../deps.ts"
import { mention } from "./mention.ts"
import { stop } from "./stop.ts"

/** Bolt acknowledges events before their listeners run; these acknowledge by themselves. */
export function registerEvents(app: App, deps: RouteDeps): void {
  app.event("app_mention", async ({ body, context }) => {
    const event = readMessage({ body, context })
    await answerMessage(deps, deliveryOf(context), event, mention(deps.agent, event))
  })

  // In channels a mention comes as app_mention; in group direct messages as either, or as both.
  app.event("message", async ({ body, context }) => {
    const event = readMessage({ body, context })
    if (event.channelType !== "im" && event.channelType !== "mpim") return
    await answerMessage(deps, deliveryOf(context), event, mention(deps.agent, event))
  })

  app.event("app_home_opened", async ({ body, context }) => {
    const opened = readHome({ body, context })
    await answerClick(deps, deliveryOf(context), opened, openHome(deps.agent, opened))
  })

  // Only apps that are declared as agents get it.
  app.event("agent_session_stopped", async ({ body, context }) => {
    const stopped = readStop({ body, context })
    await answerClick(deps, deliveryOf(context), stopped, stop(deps.agent, stopped))
  })
}

/** Somebody opened a tab of the app. */
async function openHome(
  deps: AgentDeps,
  { user, tab, direct }: ReturnType<typeof readHome>,
): Promise<Reply> {
  if (tab === "home") return { work: () => publishHome(deps, user) }
  if (tab !== "messages" || !direct) return {}
  const greet = async () => {
    const entry = await admit(deps, { user })
    if ("profile" in entry) await deps.surface.greet(user, direct)
  }
  return { work: greet, unasked: true }
}
