import type { LocalSlack } from "../../slack/index.ts"
import { findChannel, findPerson } from "../names.ts"
import { RequestError } from "../request-error.ts"
import { type RequestName, requests } from "../requests.ts"
import { wireMessage } from "../to-wire.ts"
import type { WorkspaceApi } from "../workspace-api.ts"
import { say } from "./say.ts"

type Handler = (api: WorkspaceApi, body: unknown) => Promise<object> | object

/** Handlers by address; `requests` has the shapes of the bodies. */
const handlers: Record<RequestName, Handler> = {
  async say({ parts: { slack, catalog } }, body) {
    const { as, channel, ...said } = requests.say.parse(body)
    const [person, place] = [findPerson(slack, as), findChannel(slack, channel)]
    return await say(slack, catalog, { ...said, person, channel: place })
  },
  async edit({ parts: { slack } }, body) {
    const { as, channel, ts, text } = requests.edit.parse(body)
    const place = findChannel(slack, channel).id
    return { message: wireMessage(await findPerson(slack, as).edit({ channel: place, ts }, text)) }
  },
  async click({ parts: { slack } }, body) {
    const { as, target, action, block } = requests.click.parse(body)
    return answered(await findPerson(slack, as).click(target, action, { block }))
  },
  async select({ parts: { slack } }, body) {
    const { as, target, action, block, option } = requests.select.parse(body)
    return answered(await findPerson(slack, as).select(target, action, option, { block }))
  },
  async submit({ parts: { slack } }, body) {
    const { as, values } = requests.submit.parse(body)
    return { submission: await findPerson(slack, as).submitModal(values) }
  },
  "close-modal"({ parts: { slack } }, body) {
    const { as } = requests["close-modal"].parse(body)
    findPerson(slack, as).closeModal()
    return {}
  },
  async shortcut({ parts: { slack } }, body) {
    const { as, channel, ts, callback } = requests.shortcut.parse(body)
    const place = findChannel(slack, channel).id
    return answered(await findPerson(slack, as).shortcut({ channel: place, ts }, callback))
  },
  async "global-shortcut"({ parts: { slack } }, body) {
    const { as, callback } = requests["global-shortcut"].parse(body)
    return answered(await findPerson(slack, as).globalShortcut(callback))
  },
  async home({ parts: { slack } }, body) {
    const { as } = requests.home.parse(body)
    await findPerson(slack, as).openHome()
    return {}
  },
  async "messages-tab"({ parts: { slack } }, body) {
    const { as } = requests["messages-tab"].parse(body)
    const { id, openMessages } = findPerson(slack, as)
    await openMessages()
    const direct = slack.channels().find(({ kind, members }) => kind === "im" && members.has(id))
    return { channel: direct?.id ?? "" }
  },
  async stop({ parts: { slack } }, body) {
    const { as, channel, ts } = requests.stop.parse(body)
    const thread = { channel: findChannel(slack, channel).id, ts }
    return answered(await findPerson(slack, as).stop(thread))
  },
  agent({ parts: { slack } }, body) {
    slack.agents.set(requests.agent.parse(body).surface)
    return {}
  },
  async time(api, body) {
    const { time } = api.parts
    await time.moveOn(requests.time.parse(body).minutes)
    api.changed()
    return { aheadMs: time.aheadMs }
  },
}

/**
 * Performs a request from the page.
 * @throws RequestError, ZodError, or the local Slack's own Error for what Slack wouldn't allow.
 */
export async function perform(api: WorkspaceApi, name: string, body: unknown): Promise<object> {
  if (isRequest(name)) return await handlers[name](api, body)
  const known = Object.keys(handlers).join(", ")
  throw new RequestError(404, `No such endpoint: POST /api/${name}. Choose from ${known}`)
}

function isRequest(name: string): name is RequestName {
  return Object.hasOwn(handlers, name)
}

type Acknowledged = Awaited<ReturnType<ReturnType<LocalSlack["as"]>["click"]>>

/** Returns the time taken. @throws RequestError, shown at the button, if the bot didn't answer. */
function answered({ ok, failure, ms }: Acknowledged): object {
  if (!ok) {
    throw new RequestError(502, `The bot didn't accept it (${failure ?? "no answer"}). Try again.`)
  }
  return { ms }
}
