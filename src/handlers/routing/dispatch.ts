import type { HomeOpened, MessageEvent, SessionStopped } from "../../slack/payload-events.ts"
import type { Click, SentForm, Shortcut } from "../../slack/payload-interactions.ts"
import { type Command, type Heard, own } from "../../slack/payloads.ts"
import { JOB_MENU } from "../../views/job-buttons.ts"
import { ASK_MODAL } from "../../views/modal.ts"
import { visitorActions } from "../../views/visitors/action-ids.ts"
import { ALERT_REPORT } from "../../views/visitors/alerts.ts"
import { gapActions } from "../../views/visitors/gaps.ts"
import {
  chooseFromMenu,
  clickOnJob,
  JOB_ACTIONS,
  moveJob,
  neverMind,
  outdated,
  publishHome,
  resume,
  retryAnyway,
  runAnyway,
  showHelp,
} from "../actions.ts"
import type { Reply } from "../answer.ts"
import { docsAgent } from "../docs-agent.ts"
import { isFirstTime } from "../first-time.ts"
import { forgetMe, keepMe } from "../forget-me.ts"
import { offerForm, submitForm } from "../form.ts"
import { openHome } from "../greet.ts"
import { mention } from "../mention.ts"
import { buildPreview } from "../preview.ts"
import { stop } from "../stop.ts"
import {
  type VisitorsRouteDeps as Deps,
  docsVisitors,
  useAlertReport,
  useGapControl,
  useReport,
} from "../visitors/routes.ts"

/** Handlers of one kind of payload, by the name under which Slack delivers it. */
type Table<Payload> = Readonly<Record<string, (deps: Deps, payload: Payload) => Promise<Reply>>>

const commands: Table<Command> = {
  "/docs-agent": ({ agent }, command) => docsAgent(agent, command),
  "/docs-visitors": docsVisitors,
}

const events: Table<MessageEvent> = {
  app_mention: ({ agent }, event) => mention(agent, event),
  // In channels a mention comes as app_mention; in group direct messages as either, or as both.
  message: async ({ agent }, event) => {
    const { channelType } = event
    return channelType === "im" || channelType === "mpim" ? mention(agent, event) : {}
  },
}

/** By callback id, as are forms. */
const shortcuts: Table<Shortcut> = {
  ask_docs_agent: async ({ agent }, shortcut) => ({
    work: () => offerForm(agent, shortcut, { quoting: shortcut.message }),
  }),
}

const forms: Table<SentForm> = {
  [ASK_MODAL]: ({ agent }, form) => submitForm(agent, form),
}

const actions: Table<Click> = {
  ...each(
    JOB_ACTIONS,
    (what) =>
      ({ agent }: Deps, click: Click) =>
        clickOnJob(agent, what, click),
  ),
  ...each(Object.values(visitorActions), useReport),
  ...each(Object.values(gapActions), useGapControl),
  [ALERT_REPORT]: useAlertReport,
  [JOB_MENU]: ({ agent }, click) => chooseFromMenu(agent, click),
  move_project: ({ agent }, click) => moveJob(agent, click),
  retry_anyway: ({ agent }, click) => retryAnyway(agent, click),
  run_anyway: ({ agent }, click) => runAnyway(agent, click),
  build_preview: ({ agent }, click) => buildPreview(agent, click),
  never_mind: neverMind,
  forget_me: ({ agent }, click) => forgetMe(agent, click),
  keep_me: ({ agent }, click) => keepMe(agent, click),
  resume: ({ agent }, click) => resume(agent, click),
  open_ask: async ({ agent }, click) => ({ work: () => offerForm(agent, click) }),
  how_to_ask: async ({ agent }, click) => ({ work: () => showHelp(agent, click) }),
  refresh_home: async ({ agent }, { user }) => ({ work: () => publishHome(agent, user) }),
  // A link button opens in the browser; Slack still tells, and wants an acknowledgement.
  view_pull_request: async () => ({}),
  open_preview: async () => ({}),
}

const homes: Table<HomeOpened> = {
  app_home_opened: ({ agent }, opened) => openHome(agent, opened),
}

/** Only apps that are declared as agents get these. */
const stops: Table<SessionStopped> = {
  agent_session_stopped: ({ agent }, event) => stop(agent, event),
}

/** Everything the bot listens to. `manifest.yml` lists the same, but for `stops`. */
export const routes = { commands, events, homes, stops, shortcuts, forms, actions }

/**
 * What is durable, and what is answered, to a payload; undefined where nothing listens to it.
 * @throws SlackIsSlow nothing was done yet
 */
export function replyTo(deps: Deps, payload: Heard): Promise<Reply> | undefined {
  switch (payload.kind) {
    case "command":
      return own(routes.commands, payload.entry)?.(deps, payload).then((reply) =>
        notReplayed(deps, payload, reply),
      )
    case "message":
      // It may come again, as retry or as another event about the same message.
      return own(routes.events, payload.entry)?.(deps, payload).then((reply) => ({
        ...reply,
        once: `word:${payload.channel}:${payload.ts}`,
      }))
    case "home":
      return own(routes.homes, payload.entry)?.(deps, payload)
    case "stop":
      return own(routes.stops, payload.entry)?.(deps, payload)
    case "shortcut":
      return own(routes.shortcuts, payload.callback)?.(deps, payload)
    case "form":
      return own(routes.forms, payload.callback)?.(deps, payload)
    case "click":
      return (own(routes.actions, payload.action) ?? outdated)(deps, payload)
    case "other":
      return undefined
    default:
      return payload satisfies never
  }
}

/** Whoever got hold of a command can send it again. */
function notReplayed(deps: Deps, command: Command, { work, ...reply }: Reply): Reply {
  if (!work) return reply
  const once = async () => ((await isFirstTime(deps.agent.queue, command)) ? work() : undefined)
  return { ...reply, work: once }
}

function each<Name extends string, Handler>(
  names: readonly Name[],
  handler: (name: Name) => Handler,
): Readonly<Record<string, Handler>> {
  return Object.fromEntries(names.map((name) => [name, handler(name)]))
}
