import { EventEmitter, once } from "node:events"
import type { HttpServer } from "../kit/http-server.ts"
import type { JsonObject } from "../kit/json.ts"
import type { UntilOptions } from "../kit/until.ts"
import { type Core, createCore } from "./core.ts"
import {
  type Delivery,
  type DeliveryRecord,
  dispatch,
  type RetryReason,
  sendEvent,
} from "./delivery/delivery.ts"
import { type RawRequestOptions, sendRaw } from "./delivery/http-transport.ts"
import type { SocketControls } from "./delivery/socket-hub.ts"
import { AGENT_EVENTS, AGENT_SCOPES, type AgentSurface, type LocalSlackOptions } from "./options.ts"
import { stoppedEvent } from "./person/agent.ts"
import { otherAuthors } from "./person/other-authors.ts"
import { createPerson } from "./person/person.ts"
import type { MessageRef } from "./person/target.ts"
import { seedConversations } from "./seed/conversations.ts"
import { serve } from "./server/routes.ts"
import type { Fault } from "./server/serve-call.ts"
import { untilIn } from "./wait.ts"
import type { WebApiCall } from "./web-api/call.ts"
import { deleteFile } from "./workspace/files.ts"
import { messagesOf, repliesTo } from "./workspace/messages.ts"
import type { Message } from "./workspace/model.ts"
import { allSessions, sessionOf } from "./workspace/sessions.ts"
import { channelOf, openConversation, type SlackChange } from "./workspace/workspace.ts"

/** Local Slack: a workspace to inspect, people to act as, and faults to inject. */
export interface LocalSlack extends ReturnType<typeof controlsOf> {
  /**
   * Resolves with the result of `predicate` once it is neither false nor undefined.
   * @throws Error describing the state, after `timeoutMs`.
   */
  until<T>(
    predicate: (slack: LocalSlack) => T | undefined | false,
    options?: UntilOptions,
  ): Promise<T>
}

/** Starts a local Slack workspace on the loopback interface. */
export async function startLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const core = createCore(options)
  if (options.seed === "sandbox") seedConversations(core.workspace)
  const slack: LocalSlack = Object.assign(controlsOf(core, await serve(core)), {
    until: <T>(predicate: (slack: LocalSlack) => T | undefined | false, more?: UntilOptions) =>
      untilIn(core, () => predicate(slack), more),
  })
  return slack
}

function controlsOf(core: Core, http: HttpServer) {
  const close = async () => {
    core.closing.abort()
    await core.sockets.close()
    await http.close()
  }
  return {
    ...viewOf(core),
    ...troublesOf(core),
    ...otherAuthors(core),
    url: http.url,
    apiUrl: `${http.url}/api/`,
    /** Agent sessions, the Stop button, the Messages tab, and the app's status as an agent. */
    agents: createAgentControls(core),
    /** Sets the bot's address. @throws TypeError if it isn't a URL. */
    setEventsUrl(url: string) {
      core.settings.eventsUrl = new URL(url).href
    },
    /** Returns a person to act as. @throws Error if there is no such person. */
    as: (userId: string) => createPerson(core, userId),
    subscribe: (listener: (change: SlackChange) => void) =>
      core.workspace.changes.subscribe(listener),

    /** Posts any body to the bot over HTTP, in either mode. */
    deliver: (rawBody: string, options: RawRequestOptions = {}) =>
      sendRaw(core.http, rawBody, options),
    /** Delivers an event of any type in Slack's envelope. */
    sendEvent: (event: JsonObject) => sendEvent(core, event),
    /**
     * Repeats a delivery, by default the last one. With `retry`, an event has Slack's retry headers;
     * without, it is the same request again.
     * @throws Error if there was no delivery yet.
     */
    redeliver(
      delivery: Delivery | undefined = core.deliveries.at(-1)?.delivery,
      retry?: { readonly number: number; readonly reason: RetryReason },
    ) {
      if (delivery === undefined) throw new Error("Nothing was delivered yet")
      return dispatch(core, { ...delivery, retry })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns what there is to see: what people see, and the traffic. */
function viewOf(core: Core) {
  const { workspace } = core
  return {
    users: () => [...workspace.users.values()],
    channels: () => [...workspace.channels.values()],
    /** Returns a channel's messages outside threads, or all of them, oldest first. */
    channel(id: string) {
      const all = () => [...messagesOf(workspace, id).values()]
      return { all, messages: () => all().filter((message) => message.threadTs === undefined) }
    },
    /** Returns a thread, root first; empty if there is no such message. */
    thread(channel: string, ts: string): Message[] {
      const root = messagesOf(workspace, channel).get(ts)
      return root === undefined ? [] : [root, ...repliesTo(workspace, channel, ts)]
    },
    ephemerals: (userId: string) => [...(workspace.ephemerals.get(userId)?.values() ?? [])],
    home: (userId: string) => workspace.homes.get(userId),
    modal: (userId: string) => workspace.modals.get(userId),
    files: () => [...workspace.files.values()],

    /** All calls by the bot: to the Web API, `response_url` and `upload`. */
    calls: core.calls as readonly WebApiCall[],
    deliveries: core.deliveries as readonly DeliveryRecord[],
    /** Violations of our rules that Slack tolerates; empty at the end of a good run. */
    violations: core.violations as readonly string[],
    /** Socket Mode connections, to count, refresh, refuse or cut. */
    sockets: core.sockets as SocketControls,
    /** Returns the number of unacknowledged events with a retry still to come. */
    retriesAhead: () => core.retries.ahead,
  }
}

/** Returns what goes wrong, or is changed by an admin of the workspace. */
function troublesOf(core: Core) {
  const { settings, workspace } = core
  const fail = (fault: Fault) => core.faults.add(fault)
  return {
    fail,
    /** Holds all responses, or those to `method`, until `release`. */
    hold(method?: Fault["method"], more: Pick<Fault, "matching" | "times"> = {}) {
      const gate = new EventEmitter()
      const opened = once(gate, "open").then(() => undefined)
      const fault = fail({ kind: "held", until: opened, method, ...more })
      return Object.assign(fault, {
        release() {
          fault.clear()
          gate.emit("open")
        },
      })
    },
    /** Revokes the token, or uninstalls the app (`account_inactive`); `active` undoes it. */
    revokeToken(state: "revoked" | "inactive" | "active" = "revoked") {
      settings.tokenState = state
    },
    setScopes(scopes: Iterable<string>) {
      settings.scopes = new Set(scopes)
    },
    setBotMembership(channelId: string, member: boolean) {
      const { members } = channelOf(workspace, channelId)
      if (member) members.add(workspace.bot.userId)
      else members.delete(workspace.bot.userId)
      workspace.changes.emit({ type: "changed" })
    },
    /** Opens a direct message or, for more than two members with the bot, a group one. */
    openConversation: (people: readonly string[], options: { bot: boolean }) =>
      openConversation(workspace, people, options.bot).id,
    /** Deletes a file, leaving a tombstone. */
    deleteFile: (id: string) => deleteFile(workspace, id),
  }
}

/** Returns controls for Slack's agent features: reading, switching, and sending late events. */
function createAgentControls(core: Core) {
  const { settings, workspace } = core
  return {
    get surface() {
      return settings.agent
    },
    /** Returns the session of the thread with this root, with its history. */
    session: (channel: string, ts: string) => sessionOf(workspace, channel, ts),
    sessions: () => allSessions(workspace),
    /**
     * Delivers `agent_session_stopped` in any state of the session, or without one: a click that
     * arrives late, or in a thread unknown to the bot. `redeliver` repeats it.
     */
    sendStop: (thread: MessageRef, userId: string) =>
      sendEvent(core, stoppedEvent(core, userId, thread)),
    /** Makes the app an agent or an ordinary app, with the scope and event of its manifest. */
    set(surface: AgentSurface) {
      const change = surface === "declared" ? "add" : "delete"
      settings.agent = surface
      for (const scope of AGENT_SCOPES) settings.scopes[change](scope)
      for (const event of AGENT_EVENTS) settings.events[change](event)
      workspace.changes.emit({ type: "changed" })
    },
  }
}
