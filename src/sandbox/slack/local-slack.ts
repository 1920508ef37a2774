import type { ServerResponse } from "node:http"
import { buildCore } from "./build-core.ts"
import type { Core } from "./core.ts"
import type { DeliveryRecord } from "./delivery/delivery.ts"
import { dumpState } from "./dump.ts"
import type { LocalSlackOptions } from "./options.ts"
import { createPerson, type Person } from "./person/person.ts"
import { type HttpServer, listen } from "./server/http-server.ts"
import { route } from "./server/routes.ts"
import { type UntilOptions, until } from "./until.ts"
import type { WebApiCall } from "./web-api/call-log.ts"
import type { Fault, FaultHandle } from "./web-api/faults.ts"
import type { ChangeListener } from "./workspace/changes.ts"
import { messagesOf, repliesTo } from "./workspace/messages.ts"
import type { Message } from "./workspace/model.ts"

/** Starts a Slack workspace of our own on the loopback interface. */
export async function startLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const core = buildCore(options)
  const notFound = (_request: unknown, response: ServerResponse) => {
    response.writeHead(404).end()
  }
  const http = await listen(options.port ?? 0, (request, response) => {
    route(core, request, response)
      .then((known) => known || (options.otherwise ?? notFound)(request, response))
      .catch((error: unknown) => {
        core.violations.add(`the local Slack failed on ${request.url}: ${String(error)}`)
        response.destroy()
      })
  })
  core.settings.url = http.url
  return new LocalSlack(core, http)
}

/** The other party: a workspace to look at, people to act as, and faults to inject. */
export class LocalSlack implements AsyncDisposable {
  readonly #core: Core
  readonly #http: HttpServer

  constructor(core: Core, http: HttpServer) {
    this.#core = core
    this.#http = http
  }

  get url(): string {
    return this.#http.url
  }

  /** The `slackApiUrl` of a WebClient. */
  get apiUrl(): string {
    return `${this.#http.url}/api/`
  }

  setEventsUrl(url: string): void {
    this.#core.settings.eventsUrl = url
  }

  as(userId: string): Person {
    return createPerson(this.#core, userId)
  }

  /** A channel's messages outside threads, oldest first. */
  channel(id: string): { messages(): Message[] } {
    const messages = () =>
      [...messagesOf(this.#core.workspace, id).values()].filter((one) => !one.threadTs)
    return { messages }
  }

  /** A thread, the root first; empty if there is no such message. */
  thread(channel: string, ts: string): Message[] {
    const root = messagesOf(this.#core.workspace, channel).get(ts)
    return root === undefined ? [] : [root, ...repliesTo(this.#core.workspace, channel, ts)]
  }

  /** What only this person sees, oldest first. */
  ephemerals(userId: string): Message[] {
    return [...(this.#core.workspace.ephemerals.get(userId)?.values() ?? [])]
  }

  get calls(): readonly WebApiCall[] {
    return this.#core.calls.calls
  }

  get deliveries(): readonly DeliveryRecord[] {
    return this.#core.deliveries.records
  }

  get violations(): readonly string[] {
    return this.#core.violations.all
  }

  until<T>(
    predicate: (slack: LocalSlack) => T | undefined | false,
    options?: UntilOptions,
  ): Promise<T> {
    const dump = () => dumpState(this.#core)
    return until(this.#core.workspace.changes, () => predicate(this), dump, options)
  }

  subscribe(listener: ChangeListener): () => void {
    return this.#core.workspace.changes.subscribe(listener)
  }

  fail(fault: Fault): FaultHandle {
    return this.#core.faults.add(fault)
  }

  async close(): Promise<void> {
    await this.#core.transport.close()
    await this.#http.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
