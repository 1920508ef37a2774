import type { App } from "@slack/bolt"
import { ASK_MODAL } from "../views/modal.ts"
import { line } from "../views/refusals.ts"
import { brokenMessage, storeAwayMessage } from "../views/submission.ts"
import { visitorActions } from "../views/visitors/action-ids.ts"
import {
  clickOnJob,
  moveJob,
  neverMind,
  openFromHome,
  publishHome,
  resume,
  runAnyway,
  STEERING,
  tell,
} from "./actions.ts"
import { answer, type RouteDeps } from "./answer.ts"
import { docsAgent } from "./docs-agent.ts"
import { shortcut, submitForm } from "./form.ts"
import { mention } from "./mention.ts"
import {
  type ActionPayload,
  actionPayload,
  commandPayload,
  homeEvent,
  messageEvent,
  shortcutPayload,
  viewPayload,
} from "./payloads.ts"
import { slowWork } from "./slow-words.ts"

/** Everything the bot listens to, top to bottom. `manifest.yml` lists the same. */
export function registerRoutes(app: App, deps: RouteDeps): void {
  const { agent } = deps

  app.command("/docs-agent", async ({ body, ack }) => {
    const command = commandPayload.parse(body)
    await ack(await answer(deps, "/docs-agent", () => docsAgent(agent, command)))
    await slowWork(agent, command)
  })

  app.event("app_mention", async ({ event, body, context }) => {
    const message = messageEvent.parse({ ...event, event_id: body.event_id })
    await mention(agent, message, context.teamId ?? "")
  })

  app.event("message", async ({ event, body, context }) => {
    const message = messageEvent.parse({ ...event, event_id: body.event_id })
    // Only direct messages are subscribed to; a channel's mention comes as app_mention.
    if (message.channel_type === "im") await mention(agent, message, context.teamId ?? "")
  })

  app.event("app_home_opened", async ({ event }) => {
    const { user, tab } = homeEvent.parse(event)
    if (tab === "home") await publishHome(agent, user)
  })

  app.shortcut("ask_docs_agent", async ({ body, ack }) => {
    const payload = shortcutPayload.parse(body)
    try {
      await shortcut(agent, payload)
    } finally {
      await ack()
    }
  })

  app.view(ASK_MODAL, async ({ body, ack }) => {
    const payload = viewPayload.parse(body)
    await ack(await submitForm(agent, payload))
  })

  for (const what of STEERING) click(what, (payload) => clickOnJob(agent, what, payload))
  click("move_project", (payload) => moveJob(agent, payload))
  click("run_anyway", (payload) => runAnyway(agent, payload))
  click("never_mind", (payload) => neverMind(agent, payload))
  click("resume", (payload) => resume(agent, payload))
  click("open_ask", (payload) => openFromHome(agent, payload))
  // A link button opens in the browser; Slack still tells, and wants an ack.
  app.action("view_pull_request", async ({ ack }) => ack())

  function click(action: string, handle: (payload: ActionPayload) => Promise<void>): void {
    app.action(action, async ({ body, ack }) => {
      const payload = actionPayload.parse(body)
      try {
        await handle(payload)
      } catch (error) {
        deps.log.error({ error, action }, "a click failed")
        const words = deps.isStoreAway(error) ? storeAwayMessage() : brokenMessage()
        await tell(agent, payload, words).catch(() => {})
      } finally {
        await ack()
      }
    })
  }
}

/** Every action id that some route listens to. Bolt calls all that match, and a second ack is an error. */
const KNOWN_ACTIONS: readonly string[] = [
  ...STEERING,
  ...Object.values(visitorActions),
  "move_project",
  "run_anyway",
  "never_mind",
  "resume",
  "open_ask",
  "view_pull_request",
]

/** Buttons of older versions of the bot are answered politely. */
export function registerUnknownAction(app: App, deps: RouteDeps): void {
  const other = new RegExp(`^(?!(?:${KNOWN_ACTIONS.join("|")})$)`)
  app.action(other, async ({ body, ack }) => {
    await ack()
    const payload = actionPayload.safeParse(body)
    if (payload.success && payload.data.response_url)
      await tell(
        deps.agent,
        payload.data,
        line("This button is from an older version of the bot; please ask anew."),
      ).catch(() => {})
  })
}
