import type { App } from "@slack/bolt"
import { ASK_MODAL } from "../messages/modal.ts"
import { deliveryOf } from "../slack/delivery.ts"
import * as payloads from "../slack/payloads.ts"
import { agentClicks, outdated } from "./actions/clicks.ts"
import { openHome } from "./actions/home.ts"
import { answer, type Reply } from "./answer.ts"
import { docsAgent } from "./commands/docs-agent.ts"
import { mention } from "./events/mention.ts"
import { stop } from "./events/stop.ts"
import { offerForm, submitForm } from "./views/form.ts"
import { type VisitorsRouteDeps, visitorClicks } from "./visitors/clicks.ts"
import { docsVisitors } from "./visitors/command.ts"

type Received = Parameters<typeof payloads.readClick>[0]

/**
 * Registers all listeners; `manifest.yml` lists the same. Each one reads its payload, makes the
 * request durable, acknowledges, and only then writes to Slack.
 */
export function registerListeners(app: App, deps: VisitorsRouteDeps): void {
  const { agent } = deps
  const on =
    <Payload extends payloads.Caller>(
      read: (received: Received) => Payload,
      handle: (payload: Payload) => Promise<Reply>,
    ) =>
    async ({ body, context }: Received) => {
      const payload = read({ body, context })
      await answer(deps, deliveryOf(context), payload, handle(payload))
    }
  app.command(
    "/docs-agent",
    on(payloads.readCommand, (command) => docsAgent(agent, command)),
  )
  app.command(
    "/docs-visitors",
    on(payloads.readCommand, (command) => docsVisitors(deps, command)),
  )

  // Bolt acknowledges events before their listeners run, so these listeners acknowledge themselves.
  // They do not acknowledge a message whose request they could not store, so Slack sends it again.
  const message = async ({ body, context }: Received) => {
    const event = payloads.readMessage({ body, context })
    const reply = await mention(agent, event)
    const caller = { ...event, user: event.user ?? "" }
    await answer(deps, deliveryOf(context), caller, Promise.resolve(reply))
  }
  app.event("app_mention", message)
  app.event("message", message)
  app.event(
    "app_home_opened",
    on(payloads.readHome, (opened) => openHome(agent, opened)),
  )
  // Slack sends this event only to apps that are declared as agents.
  app.event(
    "agent_session_stopped",
    on(payloads.readStop, (stopped) => stop(agent, stopped)),
  )

  // "Ask the docs agent" stands in a message's menu, in Slack's search and in its shortcuts menu.
  for (const shortcut of ["ask_docs_agent", "ask_docs_agent_global"])
    app.shortcut(
      shortcut,
      on(payloads.readShortcut, async (caller) => ({
        work: () => offerForm(agent, caller, { quoting: caller.message }),
      })),
    )
  app.view(
    { callback_id: ASK_MODAL, type: "view_submission" },
    on(payloads.readForm, (form) => submitForm(agent, form)),
  )

  const clicks: Record<string, (click: payloads.Click) => Promise<Reply>> = {
    ...visitorClicks(deps),
  }
  for (const [action, onClick] of Object.entries(agentClicks))
    clicks[action] = (click) => onClick(agent, click)
  for (const [action, onClick] of Object.entries(clicks))
    app.action(action, on(payloads.readClick, onClick))
  // Bolt runs every matching listener, so this pattern matches only actions that no other listener
  // handles: buttons of another version.
  const known = Object.keys(clicks).map((action) => action.replace(/[^\w]/g, "\\$&"))
  app.action(new RegExp(`^(?!(${known.join("|")})$)`), on(payloads.readClick, outdated))
}
