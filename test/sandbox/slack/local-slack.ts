import { EventEmitter, once } from "node:events"
import type { FaultHandle } from "../kit/fault-board.ts"
import type { HttpServer } from "../kit/http-server.ts"
import type { JsonObject } from "../kit/json.ts"
import { type UntilOptions, until } from "../kit/until.ts"
import { type AgentControls, createAgentControls } from "./agent-controls.ts"
import { type Core, createCore } from "./core.ts"
import type { Acknowledgement, Delivery, DeliveryRecord, RetryReason } from "./delivery/delivery.ts"
import { repeat, sendEvent } from "./delivery/events.ts"
import { type RawRequestOptions, sendRaw } from "./delivery/http-transport.ts"
import type { SocketControls } from "./delivery/socket-hub.ts"
import { dumpState } from "./dump.ts"
import type { LocalSlackOptions } from "./options.ts"
import {
  type AppPost,
  postAsApp,
  type SlackbotPost,
  slackbotAnswers,
  slackbotSays,
} from "./person/other-authors.ts"
import { createPerson, type Person } from "./person/person.ts"
import type { Posted } from "./person/speak.ts"
import { seedConversations } from "./seed/conversations.ts"
import { serve } from "./server/routes.ts"
import type { WebApiCall } from "./web-api/call.ts"
import type { Fault } from "./web-api/faults.ts"
import { deleteFile } from "./workspace/files.ts"
import { messagesOf, repliesTo } from "./workspace/messages.ts"
import type { Channel, Message, SlackFile, User, View } from "./workspace/model.ts"
import { channelOf, openConversation, type SlackChange } from "./workspace/workspace.ts"

/** Starts a local Slack workspace on the loopback interface. */
export async function startLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const core = createCore(options)
  if (options.seed === "sandbox") seedConversations(core.workspace)
  return new LocalSlack(core, await serve(core))
}

/** Local Slack: a workspace to inspect, people to act as, and faults to inject. */
export class LocalSlack implements AsyncDisposable {
  /** Agent sessions, the Stop button, the Messages tab, and the app's status as an agent. */
  readonly agents: AgentControls
  readonly #core: Core
  readonly #http: HttpServer

  constructor(core: Core, http: HttpServer) {
    this.#core = core
    this.#http = http
    this.agents = createAgentControls(core)
  }

  get url(): string {
    return this.#http.url
  }

  get apiUrl(): string {
    return `${this.#http.url}/api/`
  }

  /** Sets the bot's address. @throws TypeError if it isn't a URL. */
  setEventsUrl(url: string): void {
    this.#core.settings.eventsUrl = new URL(url).href
  }

  /** Returns a person to act as. @throws Error if there is no such person. */
  as(userId: string): Person {
    return createPerson(this.#core, userId)
  }

  users(): User[] {
    return [...this.#core.workspace.users.values()]
  }

  channels(): Channel[] {
    return [...this.#core.workspace.channels.values()]
  }

  /** Returns a channel's messages outside threads, or all of them, oldest first. */
  channel(id: string): { messages(): Message[]; all(): Message[] } {
    const all = () => [...messagesOf(this.#core.workspace, id).values()]
    return { all, messages: () => all().filter((message) => message.threadTs === undefined) }
  }

  /** Returns a thread, root first; empty if there is no such message. */
  thread(channel: string, ts: string): Message[] {
    const root = messagesOf(this.#core.workspace, channel).get(ts)
    return root === undefined ? [] : [root, ...repliesTo(this.#core.workspace, channel, ts)]
  }

  ephemerals(userId: string): Message[] {
    return [...(this.#core.workspace.ephemerals.get(userId)?.values() ?? [])]
  }

  home(userId: string): View | undefined {
    return this.#core.workspace.homes.get(userId)
  }

  modal(userId: string): View | undefined {
    return this.#core.workspace.modals.get(userId)
  }

  files(): SlackFile[] {
    return [...this.#core.workspace.files.values()]
  }

  /** All calls by the bot: to the Web API, `response_url` and `upload`. */
  get calls(): readonly WebApiCall[] {
    return this.#core.calls
  }

  get deliveries(): readonly DeliveryRecord[] {
    return this.#core.deliveries
  }

  /** Number of unacknowledged events with a retry still to come. */
  get retriesAhead(): number {
    return this.#core.retries.ahead
  }

  /** Violations of our rules that Slack tolerates; empty at the end of a good run. */
  get violations(): readonly string[] {
    return this.#core.violations
  }

  subscribe(listener: (change: SlackChange) => void): () => void {
    return this.#core.workspace.changes.subscribe(listener)
  }

  /**
   * Resolves with the result of `predicate` once it is neither false nor undefined.
   * @throws Error describing the state, after `timeoutMs`.
   */
  until<T>(
    predicate: (slack: LocalSlack) => T | undefined | false,
    options?: UntilOptions,
  ): Promise<T> {
    const dump = () => dumpState(this.#core)
    return until(this.#core.workspace.changes, () => predicate(this), dump, options)
  }

  /** Posts any body to the bot over HTTP, in either mode. */
  deliver(rawBody: string, options: RawRequestOptions = {}): Promise<Acknowledgement> {
    return sendRaw(this.#core.http, rawBody, options)
  }

  /** Delivers an event of any type in Slack's envelope. */
  sendEvent(event: JsonObject): Promise<Acknowledgement> {
    return sendEvent(this.#core, event)
  }

  /** Posts as another app, or as a person through one. */
  postAsApp(channel: string, post: AppPost): Message {
    return postAsApp(this.#core, channel, post)
  }

  slackbotSays(channel: string, text: string, post: SlackbotPost = {}): Promise<Posted> {
    return slackbotSays(this.#core, channel, text, post)
  }

  slackbotAnswers(words: string, answer: string): void {
    slackbotAnswers(this.#core, words, answer)
  }

  /**
   * Repeats a delivery, by default the last one. With `retry`, an event has Slack's retry headers;
   * without, it is the same request again.
   * @throws Error if there was no delivery yet.
   */
  redeliver(
    delivery: Delivery | undefined = this.deliveries.at(-1)?.delivery,
    retry?: { readonly number: number; readonly reason: RetryReason },
  ): Promise<Acknowledgement> {
    if (delivery === undefined) throw new Error("Nothing was delivered yet")
    return repeat(this.#core, delivery, retry)
  }

  fail(fault: Fault): FaultHandle {
    return this.#core.faults.add(fault)
  }

  /** Holds all responses, or those to `method`, until `release`. */
  hold(method?: Fault["method"]): { release(): void } {
    const gate = new EventEmitter()
    const until = once(gate, "open").then(() => undefined)
    const fault = this.fail({ kind: "held", until, method })
    return {
      release() {
        fault.clear()
        gate.emit("open")
      },
    }
  }

  /** Socket Mode connections, to count, refresh, refuse or cut. */
  get sockets(): SocketControls {
    return this.#core.sockets
  }

  /** Revokes the token, or uninstalls the app (`account_inactive`); `active` undoes it. */
  revokeToken(state: "revoked" | "inactive" | "active" = "revoked"): void {
    this.#core.settings.tokenState = state
  }

  setScopes(scopes: Iterable<string>): void {
    this.#core.settings.scopes = new Set(scopes)
  }

  setBotMembership(channelId: string, member: boolean): void {
    const { workspace } = this.#core
    const { members } = channelOf(workspace, channelId)
    if (member) members.add(workspace.bot.userId)
    else members.delete(workspace.bot.userId)
    workspace.changes.emit({ type: "changed" })
  }

  /**
   * Opens a direct message or, for more than two members with the bot, a group one. Returns its id.
   */
  openConversation(people: readonly string[], options: { bot: boolean }): string {
    return openConversation(this.#core.workspace, people, options.bot).id
  }

  /** Deletes a file, leaving a tombstone. */
  deleteFile(id: string): void {
    deleteFile(this.#core.workspace, id)
  }

  async close(): Promise<void> {
    this.#core.retries.close()
    this.#core.closing.abort()
    await this.#core.sockets.close()
    await this.#http.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
