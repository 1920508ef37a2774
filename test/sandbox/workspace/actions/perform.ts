import type { LocalSlack, MessageRef } from "../../slack/index.ts"
import { findChannel, findPerson } from "../names.ts"
import {
  type Answer,
  type ParsedBody,
  RequestError,
  type RequestName,
  requests,
} from "../requests.ts"
import { wireMessage } from "../to-wire.ts"
import type { WorkspaceApi, WorkspaceParts } from "../workspace-api.ts"
import { say } from "./say.ts"

type Handler<N extends RequestName> = (
  parts: WorkspaceParts,
  body: ParsedBody<N>,
) => Promise<Answer<N>>

/** Handlers by address. */
const handlers: { readonly [N in RequestName]: Handler<N> } = {
  say: ({ slack, catalog }, { as, channel, ...said }) => {
    const [person, place] = [findPerson(slack, as), findChannel(slack, channel)]
    return say(slack, catalog, { ...said, person, channel: place })
  },
  edit: async ({ slack }, { as, text, ...place }) => ({
    message: wireMessage(await findPerson(slack, as).edit(found(slack, place), text)),
  }),
  click: async ({ slack }, { as, target, action, block }) =>
    answered(await findPerson(slack, as).click(targetIn(slack, target), action, { block })),
  select: async ({ slack }, { as, target, action, block, option }) =>
    answered(
      await findPerson(slack, as).select(targetIn(slack, target), action, option, { block }),
    ),
  submit: async ({ slack }, { as, values }) => ({
    submission: await findPerson(slack, as).submitModal(values),
  }),
  "close-modal": async ({ slack }, { as }) => {
    findPerson(slack, as).closeModal()
    return {}
  },
  shortcut: async ({ slack }, { as, callback, ...place }) =>
    answered(await findPerson(slack, as).shortcut(found(slack, place), callback)),
  "global-shortcut": async ({ slack }, { as, callback }) =>
    answered(await findPerson(slack, as).globalShortcut(callback)),
  home: async ({ slack }, { as }) => {
    await findPerson(slack, as).openHome()
    return {}
  },
  "messages-tab": async ({ slack }, { as }) => ({
    channel: await findPerson(slack, as).openMessages(),
  }),
  stop: async ({ slack }, { as, ...place }) =>
    answered(await findPerson(slack, as).stop(found(slack, place))),
  agent: async ({ slack }, { surface }) => {
    slack.agents.set(surface)
    return {}
  },
  time: async ({ time }, { minutes }) => {
    await time.moveOn(minutes)
    return { aheadMs: time.aheadMs }
  },
}

/**
 * Performs a request from the page.
 * @throws RequestError, ZodError, or the local Slack's own Error for what Slack wouldn't allow.
 */
export async function perform(api: WorkspaceApi, name: string, body: unknown): Promise<object> {
  if (!isRequest(name)) {
    const known = Object.keys(handlers).join(", ")
    throw new RequestError(404, `No such endpoint: POST /api/${name}. Choose from ${known}`)
  }
  const answer = await handlers[name](api.parts, requests[name].parse(body) as never)
  if (name === "time") api.changed()
  return answer
}

function isRequest(name: string): name is RequestName {
  return Object.hasOwn(handlers, name)
}

/** Returns a place with its channel's id. @throws RequestError if there is no such channel. */
function found(slack: LocalSlack, { channel, ts }: MessageRef): MessageRef {
  return { channel: findChannel(slack, channel).id, ts }
}

function targetIn(slack: LocalSlack, target: ParsedBody<"click">["target"]) {
  return typeof target === "string" ? target : found(slack, target)
}

type Acknowledged = Awaited<ReturnType<ReturnType<LocalSlack["as"]>["click"]>>

/** Returns the time taken. @throws RequestError, shown at the button, if the bot didn't answer. */
function answered({ ok, failure, ms }: Acknowledged): object {
  if (!ok) {
    throw new RequestError(502, `The bot didn't accept it (${failure ?? "no answer"}). Try again.`)
  }
  return { ms }
}
