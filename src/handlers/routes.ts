import type { HomeOpened, MessageEvent } from "../slack/payload-events.ts"
import type { Click, SentForm, Shortcut } from "../slack/payload-interactions.ts"
import type { Command } from "../slack/payloads.ts"
import { line } from "../views/blocks.ts"
import { JOB_MENU } from "../views/job-buttons.ts"
import { ASK_MODAL } from "../views/modal.ts"
import { visitorActions } from "../views/visitors/action-ids.ts"
import { gapActions } from "../views/visitors/gaps.ts"
import {
  chooseFromMenu,
  clickOnJob,
  JOB_ACTIONS,
  moveJob,
  neverMind,
  publishHome,
  resume,
  retryAnyway,
  runAnyway,
} from "./actions.ts"
import { caught, inTime, type Reply } from "./answer.ts"
import { docsAgent } from "./docs-agent.ts"
import { type FormAnswer, formFailed, openForm, submitForm } from "./form.ts"
import { converse } from "./mention.ts"
import { tell } from "./tell.ts"
import {
  type VisitorsRouteDeps as Deps,
  docsVisitors,
  useGapControl,
  useReport,
} from "./visitors/routes.ts"

/** Handlers of one kind of payload, by the name under which Slack delivers it. */
type Table<Payload, Result> = Readonly<Record<string, (deps: Deps, payload: Payload) => Result>>

const commands: Table<Command, Promise<Reply>> = {
  "/docs-agent": docsAgent,
  "/docs-visitors": docsVisitors,
}

const events = {
  app_mention: converse,
  // Only direct messages are subscribed to; a channel's mention comes as app_mention.
  message: async (deps: Deps, event: MessageEvent) => {
    if (event.channelType === "im") await converse(deps, event)
  },
  app_home_opened: async ({ agent }: Deps, { user, tab }: HomeOpened) => {
    if (tab === "home") await publishHome(agent, user)
  },
}

/** By callback id, as are forms. */
const shortcuts: Table<Shortcut, Promise<Reply>> = {
  ask_docs_agent: caught(async ({ agent }, shortcut) => {
    const refusal = await openForm(agent, shortcut, { quoting: shortcut.message })
    if (refusal) await tell(agent, shortcut, refusal)
  }),
}

const forms: Table<SentForm, Promise<FormAnswer>> = {
  [ASK_MODAL]: (deps, form) => inTime(deps, form.entry, submitForm(deps.agent, form), formFailed),
}

const actions: Table<Click, Promise<Reply>> = {
  ...each(JOB_ACTIONS, (what) => caught(({ agent }, click) => clickOnJob(agent, what, click))),
  ...each(Object.values(visitorActions), useReport),
  ...each(Object.values(gapActions), useGapControl),
  [JOB_MENU]: caught(({ agent }, click) => chooseFromMenu(agent, click)),
  move_project: caught(({ agent }, click) => moveJob(agent, click)),
  retry_anyway: caught(({ agent }, click) => retryAnyway(agent, click)),
  run_anyway: caught(({ agent }, click) => runAnyway(agent, click)),
  never_mind: caught(({ agent }, click) => neverMind(agent, click)),
  resume: caught(({ agent }, click) => resume(agent, click)),
  open_ask: caught(async ({ agent }, click) => {
    const refusal = await openForm(agent, click)
    if (refusal) await tell(agent, click, refusal)
  }),
  // A link button opens in the browser; Slack still tells, and wants an acknowledgement.
  view_pull_request: async () => ({}),
}

/** Everything the bot listens to. `manifest.yml` lists the same. */
export const routes = { commands, events, shortcuts, forms, actions, outdated }

/** A button that no route names, such as one of an older version. */
async function outdated({ agent }: Deps, click: Click): Promise<Reply> {
  const words = line("*This button has expired.* Ask again in your own words.")
  return {
    work: async () => (click.replyUrl ? tell(agent, click, words).catch(() => {}) : undefined),
  }
}

function each<Name extends string, Handler>(
  names: readonly Name[],
  handler: (name: Name) => Handler,
): Readonly<Record<string, Handler>> {
  return Object.fromEntries(names.map((name) => [name, handler(name)]))
}
