import type { App } from "@slack/bolt"
import type { Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import { ASK_MODAL } from "../messages/ask-form-view.ts"
import { quoting, say, unknownCommand } from "../messages/private-answers.ts"
import * as payloads from "../slack/payloads.ts"
import { listenersIn } from "./acknowledge.ts"
import { docsAgent } from "./docs-agent.ts"
import type { Verbs } from "./verbs.ts"

/** Answers a click on a button that this version no longer has. */
async function outdated({ replyUrl }: payloads.Click): Promise<Reply> {
  return replyUrl ? { ack: say("outdated") } : {}
}

/** Answers a command that is sent to the bot under another name than the manifest's. */
async function otherCommand({ entry, typed }: payloads.Command): Promise<Reply> {
  return { ack: quoting(unknownCommand(entry), typed) }
}

/**
 * Registers the listeners. Each stores a new request, acknowledges, and then writes to Slack.
 * Bolt's `say` and `ack` aren't used: `say` posts without the pace and look-ups of
 * `slack/write-to-slack.ts`, and Bolt acknowledges events before a listener has stored anything.
 */
export function registerListeners(app: App, context: Context, verbs: Verbs): void {
  const { on, onEvent, once } = listenersIn(context)

  app.command(
    "/docs-agent",
    on(payloads.command, (command) => docsAgent(verbs, command)),
  )
  app.command("/docs-visitors", on(payloads.command, once(verbs.visitors)))
  // Admins rename a command if another app has its name, because Slack has only one of each.
  app.command(/^(?!\/docs-(agent|visitors)$)/, on(payloads.command, otherCommand))

  app.event("app_mention", onEvent(payloads.messageEvent, verbs.ask.message))
  app.event("message", onEvent(payloads.messageEvent, verbs.ask.message))
  app.event("app_home_opened", on(payloads.home, verbs.openHome))
  // Slack sends this event only to apps that are declared as agents.
  app.event("agent_session_stopped", onEvent(payloads.stop, verbs.stop))

  // "Ask the docs agent" appears in a message's menu, in Slack's search and in its shortcuts menu.
  const openForm = async (shortcut: payloads.Shortcut) => ({
    work: () => verbs.ask.openForm(shortcut, {}, { quoting: shortcut.message }),
  })
  app.shortcut("ask_docs_agent", on(payloads.shortcut, openForm))
  app.shortcut("ask_docs_agent_global", on(payloads.shortcut, openForm))
  const sent = { callback_id: ASK_MODAL, type: "view_submission" } as const
  app.view(sent, on(payloads.form, verbs.ask.form))

  for (const [action, press] of Object.entries(verbs.buttons))
    app.action(action, on(payloads.click, once(press)))
  const known = Object.keys(verbs.buttons).join("|")
  app.action(new RegExp(`^(?!(?:${known})$)`), on(payloads.click, once(outdated)))
}
