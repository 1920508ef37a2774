import type { App } from "@slack/bolt"
import { readGlobalShortcut, readMessageShortcut } from "../../slack/interactions.ts"
import { deliveryOf } from "../../slack/payloads.ts"
import { answerClick, type Reply, type RouteDeps } from "../answer.ts"
import { offerForm } from "../views/form.ts"

export function registerShortcuts(app: App, deps: RouteDeps): void {
  // "Ask the docs agent" in a message's menu.
  app.shortcut("ask_docs_agent", async ({ body, context }) => {
    const shortcut = readMessageShortcut({ body, context })
    const work = () => offerForm(deps.agent, shortcut, { quoting: shortcut.message })
    await answerClick(deps, deliveryOf(context), shortcut, Promise.resolve<Reply>({ work }))
  })

  // The same in Slack's search and its menu of shortcuts.
  app.shortcut("ask_docs_agent_global", async ({ body, context }) => {
    const shortcut = readGlobalShortcut({ body, context })
    const work = () => offerForm(deps.agent, shortcut)
    await answerClick(deps, deliveryOf(context), shortcut, Promise.resolve<Reply>({ work }))
  })
}
