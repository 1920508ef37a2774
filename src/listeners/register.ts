import type { App } from "@slack/bolt"
import type { z } from "zod"
import { ASK_MODAL } from "../messages/ask-form-view.ts"
import { quoting, unknownCommand } from "../messages/private-answers.ts"
import { deliveryOf, parsePayload, type Received } from "../slack/intake.ts"
import * as payloads from "../slack/payloads.ts"
import { actOnce, answer, type Reply } from "./acknowledge.ts"
import { agentClicks, outdated } from "./actions/agent-clicks.ts"
import { visitorClicks } from "./actions/visitors-clicks.ts"
import { docsAgent } from "./commands/docs-agent.ts"
import { docsVisitors } from "./commands/docs-visitors.ts"
import type { AgentDeps } from "./deps.ts"
import { openHome } from "./events/home.ts"
import { mention } from "./events/mention.ts"
import { stop } from "./events/stop.ts"
import { openShortcut, submitForm } from "./views/ask-form.ts"

type Handle<Payload> = (deps: AgentDeps, payload: Payload) => Promise<Reply>

function once<Payload extends payloads.Caller>(handle: Handle<Payload>): Handle<Payload> {
  return (deps, payload) => actOnce(deps, payload.triggerId, () => handle(deps, payload))
}

const clicks = new Map(Object.entries({ ...agentClicks, ...visitorClicks }))

function press(deps: AgentDeps, click: payloads.Click): Promise<Reply> {
  return (clicks.get(click.action) ?? outdated)(deps, click)
}

/** Answers a command that is sent to the bot under another name than the manifest's. */
async function otherCommand(_: AgentDeps, { entry, typed }: payloads.Command): Promise<Reply> {
  return { ack: quoting(unknownCommand(entry), typed) }
}

/** Registers the listeners. Each stores a new request, acknowledges, and then writes to Slack. */
export function registerListeners(app: App, deps: AgentDeps): void {
  const on =
    <Payload extends payloads.Caller>(shape: z.ZodType<Payload>, handle: Handle<Payload>) =>
    async (received: Received) => {
      const payload = parsePayload(shape, received)
      await answer(deps, deliveryOf(received.context), payload, handle(deps, payload))
    }
  app.command("/docs-agent", on(payloads.command, docsAgent))
  app.command("/docs-visitors", on(payloads.command, once(docsVisitors)))
  // Admins rename a command if another app has its name, because Slack has only one of each.
  app.command(/^(?!\/docs-(agent|visitors)$)/, on(payloads.command, otherCommand))

  // If an event can't be acted on, nothing acknowledges it, and Slack sends it again.
  const onEvent =
    <Payload extends Omit<payloads.Caller, "user"> & { user?: string | undefined }>(
      shape: z.ZodType<Payload>,
      handle: Handle<Payload>,
    ) =>
    async (received: Received) => {
      const event = parsePayload(shape, received)
      const reply = Promise.resolve(await handle(deps, event))
      await answer(deps, deliveryOf(received.context), { ...event, user: event.user ?? "" }, reply)
    }
  app.event("app_mention", onEvent(payloads.message, mention))
  app.event("message", onEvent(payloads.message, mention))
  app.event("app_home_opened", on(payloads.home, openHome))
  // Slack sends this event only to apps that are declared as agents.
  app.event("agent_session_stopped", onEvent(payloads.stop, stop))

  // "Ask the docs agent" appears in a message's menu, in Slack's search and in its shortcuts menu.
  for (const shortcut of ["ask_docs_agent", "ask_docs_agent_global"])
    app.shortcut(shortcut, on(payloads.shortcut, openShortcut))
  const sent = { callback_id: ASK_MODAL, type: "view_submission" } as const
  app.view(sent, on(payloads.form, submitForm))

  app.action(/^/, on(payloads.click, once(press)))
}
