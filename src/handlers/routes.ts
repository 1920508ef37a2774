import type { Message } from "../ports/message.ts"
import type { HomeOpened, MessageEvent } from "../slack/payload-events.ts"
import type { Click, SentForm, Shortcut } from "../slack/payload-interactions.ts"
import type { Ack } from "../slack/payload-processor.ts"
import { type Command, type Heard, own } from "../slack/payloads.ts"
import { line } from "../views/blocks.ts"
import { ASK_MODAL } from "../views/modal.ts"
import { visitorActions } from "../views/visitors/action-ids.ts"
import {
  clickOnJob,
  JOB_ACTIONS,
  moveJob,
  neverMind,
  publishHome,
  resume,
  runAnyway,
} from "./actions.ts"
import { failureMessage, follow, inTime, isFirstTime, type Reply } from "./answer.ts"
import { docsAgent } from "./docs-agent.ts"
import { type FormAnswer, formFailed, openForm, submitForm } from "./form.ts"
import { mention } from "./mention.ts"
import { tell } from "./tell.ts"
import { type VisitorsRouteDeps as Deps, docsVisitors, useReport } from "./visitors/routes.ts"

/** Handlers of one kind of payload, by the name under which Slack delivers it. */
type Table<Payload, Result> = Readonly<Record<string, (deps: Deps, payload: Payload) => Result>>

const commands: Table<Command, Promise<Reply>> = {
  "/docs-agent": ({ agent }, command) => docsAgent(agent, command),
  "/docs-visitors": docsVisitors,
}

const events = {
  app_mention: (deps: Deps, event: MessageEvent) => converse(deps, event),
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
  move_project: caught(({ agent }, click) => moveJob(agent, click)),
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
export const routes = { commands, events, shortcuts, forms, actions }

/** What is done about a payload, and how it is acknowledged. */
export async function handle(deps: Deps, payload: Heard, ack: Ack): Promise<void> {
  switch (payload.kind) {
    case "command": {
      const reply = own(commands, payload.entry)?.(deps, payload)
      return reply && answerCommand(deps, payload, reply, ack)
    }
    case "message":
      return events[payload.entry](deps, payload)
    case "home":
      return events.app_home_opened(deps, payload)
    case "shortcut": {
      const reply = own(shortcuts, payload.callback)?.(deps, payload)
      return reply && acknowledge(deps, payload, await reply, ack)
    }
    case "form": {
      const answer = own(forms, payload.callback)?.(deps, payload)
      return answer && ack(await answer)
    }
    case "click": {
      const reply = await (own(actions, payload.action) ?? outdated)(deps, payload)
      return acknowledge(deps, payload, reply, ack)
    }
    case "other":
      return
    default:
      payload satisfies never
  }
}

async function acknowledge(
  deps: Deps,
  payload: Click | Shortcut,
  reply: Reply,
  ack: Ack,
): Promise<void> {
  await ack()
  if (reply.work) await follow(deps, payload, reply)
}

/** A button that no route names, such as one of an older version. */
async function outdated({ agent }: Deps, click: Click): Promise<Reply> {
  const words = line("*This button has expired.* Ask again in your own words.")
  return {
    work: async () => (click.replyUrl ? tell(agent, click, words).catch(() => {}) : undefined),
  }
}

async function answerCommand(
  deps: Deps,
  command: Command,
  replying: Promise<Reply>,
  ack: Ack,
): Promise<void> {
  const answer = replying.then((reply): Message | undefined => reply.ack)
  await ack(await inTime(deps, command.entry, answer, (message) => message))
  // A slow store may have let the acknowledgement go first; a failed one has been answered and logged.
  const { work, sorry } = await replying.catch((): Reply => ({}))
  if (!work) return
  const once = async () => ((await isFirstTime(deps.agent.queue, command)) ? work() : undefined)
  await follow(deps, command, { work: once, sorry })
}

/** Slack hears of an event when all is done about it, so that it sends again what failed. */
async function converse(deps: Deps, event: MessageEvent): Promise<void> {
  const { ack, work, sorry } = await mention(deps.agent, event)
  const user = event.user ?? ""
  if (ack) await tell(deps.agent, { ...event, user }, ack)
  if (work) await follow(deps, { ...event, user }, { work, sorry })
}

function each<Name extends string, Handler>(
  names: readonly Name[],
  handler: (name: Name) => Handler,
): Readonly<Record<string, Handler>> {
  return Object.fromEntries(names.map((name) => [name, handler(name)]))
}

/** A click: whatever happens the person is told. */
function caught<Payload extends Click | Shortcut>(
  handler: (deps: Deps, payload: Payload) => Promise<void>,
) {
  return async (deps: Deps, payload: Payload): Promise<Reply> => {
    try {
      await handler(deps, payload)
    } catch (error) {
      const entry = "action" in payload ? payload.action : payload.entry
      const words = failureMessage(deps, entry, error)
      await tell(deps.agent, payload, words).catch(() => {})
    }
    return {}
  }
}
