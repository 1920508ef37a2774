import type { App } from "@slack/bolt"
import { deliveryOf, readCommand } from "../../slack/payloads.ts"
import { answerCommand } from "../answer.ts"
import { unlessReplayed } from "../once.ts"
import type { VisitorsRouteDeps } from "../visitors/clicks.ts"
import { docsVisitors } from "../visitors/command.ts"
import { docsAgent } from "./docs-agent.ts"

export function registerCommands(app: App, deps: VisitorsRouteDeps): void {
  app.command("/docs-agent", async ({ body, context }) => {
    const command = readCommand({ body, context })
    const replying = docsAgent(deps.agent, command).then(
      unlessReplayed(deps.agent.submitting.store, command),
    )
    await answerCommand(deps, deliveryOf(context), command, replying)
  })

  app.command("/docs-visitors", async ({ body, context }) => {
    const command = readCommand({ body, context })
    const replying = docsVisitors(deps, command).then(
      unlessReplayed(deps.agent.submitting.store, command),
    )
    await answerCommand(deps, deliveryOf(context), command, replying)
  })
}
