import type { SlackRoutes } from "../slack/router.ts"
import { line } from "../views/blocks.ts"
import { ASK_MODAL } from "../views/modal.ts"
import { visitorActions } from "../views/visitors/action-ids.ts"
import {
  clickOnJob,
  JOB_ACTIONS,
  moveJob,
  neverMind,
  openFromHome,
  publishHome,
  resume,
  runAnyway,
  tell,
} from "./actions.ts"
import { answer, answerAs, failureMessage } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"
import { docsAgent } from "./docs-agent.ts"
import { formFailed, shortcut, submitForm } from "./form.ts"
import { mention } from "./mention.ts"
import {
  type ActionPayload,
  actionPayload,
  commandPayload,
  homeEvent,
  messageEvent,
  readPayload,
  shortcutPayload,
  viewPayload,
} from "./payloads.ts"
import { slowWork } from "./slow-words.ts"
import { docsVisitors, useReport, type VisitorsRouteDeps } from "./visitors/routes.ts"

type Routes = SlackRoutes<VisitorsRouteDeps>
type Action = Routes["otherAction"]

/** Everything the bot listens to, top to bottom. `manifest.yml` lists the same. */
export const routes: Routes = {
  commands: {
    "/docs-agent": async (deps, { body, ack }) => {
      const command = readPayload(commandPayload, body)
      await ack(await answer(deps, "/docs-agent", () => docsAgent(deps.agent, command)))
      await slowWork(deps.agent, command)
    },
    "/docs-visitors": docsVisitors,
  },

  events: {
    app_mention: async ({ agent }, { event, body, context }) => {
      const message = readPayload(messageEvent, { ...event, event_id: body.event_id })
      await mention(agent, message, context.teamId ?? "")
    },
    message: async ({ agent }, { event, body, context }) => {
      const message = readPayload(messageEvent, { ...event, event_id: body.event_id })
      // Only direct messages are subscribed to; a channel's mention comes as app_mention.
      if (message.channel_type === "im") await mention(agent, message, context.teamId ?? "")
    },
    app_home_opened: async ({ agent }, { event }) => {
      const { user, tab } = readPayload(homeEvent, event)
      if (tab === "home") await publishHome(agent, user)
    },
  },

  shortcuts: {
    ask_docs_agent: async (deps, { body, ack }) => {
      const payload = readPayload(shortcutPayload, body)
      try {
        const refusal = await shortcut(deps.agent, payload)
        if (refusal) await tell(deps.agent, payload, refusal)
      } catch (error) {
        const words = failureMessage(deps, "shortcut", error)
        await tell(deps.agent, payload, words).catch(() => {})
      } finally {
        await ack()
      }
    },
  },

  views: {
    [ASK_MODAL]: async (deps, { body, ack }) => {
      const payload = readPayload(viewPayload, body)
      await ack(await answerAs(deps, "form", () => submitForm(deps.agent, payload), formFailed))
    },
  },

  actions: {
    ...each(JOB_ACTIONS, (what) => click((agent, payload) => clickOnJob(agent, what, payload))),
    ...each(Object.values(visitorActions), useReport),
    move_project: click(moveJob),
    run_anyway: click(runAnyway),
    never_mind: click(neverMind),
    resume: click(resume),
    open_ask: click(openFromHome),
    // A link button opens in the browser; Slack still tells, and wants an ack.
    view_pull_request: async (_, { ack }) => ack(),
  },

  otherAction: async ({ agent }, { body, ack }) => {
    await ack()
    const payload = actionPayload.safeParse(body)
    if (payload.success && payload.data.response_url)
      await tell(
        agent,
        payload.data,
        line("This button is from an older version of the bot; please ask anew."),
      ).catch(() => {})
  },
}

function each<Name extends string>(names: readonly Name[], handler: (name: Name) => Action) {
  return Object.fromEntries(names.map((name) => [name, handler(name)]))
}

/** A button of a job's card: whatever happens the person is told, and Slack has its ack. */
function click(handle: (agent: AgentDeps, payload: ActionPayload) => Promise<void>): Action {
  return async (deps, { body, ack }) => {
    const payload = readPayload(actionPayload, body)
    try {
      await handle(deps.agent, payload)
    } catch (error) {
      const words = failureMessage(deps, payload.actions[0].action_id, error)
      await tell(deps.agent, payload, words).catch(() => {})
    } finally {
      await ack()
    }
  }
}
