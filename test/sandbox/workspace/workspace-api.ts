import { controlSnapshot } from "../docs-service/control.ts"
import type { DocsService } from "../docs-service/service.ts"
import { gitHubSnapshot } from "../github/control.ts"
import type { LocalGitHub } from "../github/local-github.ts"
import type { Json } from "../slack/json.ts"
import type { LocalSlack } from "../slack/local-slack.ts"
import { type Coalesced, coalesce } from "./coalesce.ts"
import { Feed } from "./feed.ts"
import type { ServiceLine } from "./service-line.ts"
import { slackUpdate } from "./slack-updates.ts"
import { sessionsOf, snapshot } from "./snapshot.ts"
import type { TimeControl } from "./time-control.ts"
import { logSighting } from "./traffic/log-sightings.ts"
import { serviceSighting } from "./traffic/service-sightings.ts"
import { slackSighting } from "./traffic/slack-sightings.ts"
import { type Sighting, TrafficBook } from "./traffic/traffic-book.ts"
import type { BotFacts, Catalog, WorkspaceState } from "./wire.ts"

/** The service tells of every request; pages need its state a few times a second at most. ms */
const SERVICE_REST_MS = 60
/** Lines of traffic that are remembered. */
const KEEP = 600

export interface WorkspaceParts {
  readonly slack: LocalSlack
  readonly docs: DocsService
  readonly github: LocalGitHub
  /** Between the bot and the service. */
  readonly line: ServiceLine
  readonly catalog: Catalog
  readonly bot: BotFacts
  readonly time: TimeControl
}

/** Everything a page can see, and who is told when it changes. */
export class WorkspaceApi {
  readonly parts: WorkspaceParts
  readonly feed = new Feed()
  readonly #traffic = new TrafficBook(KEEP)
  readonly #service: Coalesced
  readonly #github: Coalesced
  readonly #unsubscribe: (() => void)[]

  constructor(parts: WorkspaceParts) {
    this.parts = parts
    const { slack, docs, github, time } = parts
    this.#service = coalesce(SERVICE_REST_MS, () =>
      this.feed.send({ type: "service", service: controlSnapshot(docs) }),
    )
    this.#github = coalesce(SERVICE_REST_MS, () =>
      this.feed.send({ type: "github", github: gitHubSnapshot(github) }),
    )
    this.#unsubscribe = [
      github.subscribe(() => this.#github.request()),
      slack.subscribe((change) => {
        const update = slackUpdate(slack, change)
        if (update) this.feed.send(update)
        this.#saw(slackSighting(change, time.now()))
      }),
      docs.subscribe((event) => {
        this.#service.request()
        if (event.type === "request") this.#saw(serviceSighting(event.request, docs))
      }),
    ]
  }

  /** Everything as it is now. */
  state(): WorkspaceState {
    const { slack, docs, github, line, bot, catalog, time } = this.parts
    return {
      ...snapshot(slack, docs),
      github: gitHubSnapshot(github),
      bot,
      catalog,
      lineUp: line.isUp,
      traffic: this.#traffic.entries(),
      aheadMs: time.aheadMs,
    }
  }

  /** Undefined when it was never seen, or too long ago. */
  payload(id: number): Json | undefined {
    return this.#traffic.payload(id)
  }

  /** Takes one line of the bot's log. */
  log(line: string): void {
    this.#saw(logSighting(line, this.parts.time.now()))
  }

  /** Takes the documentation service away from the bot, or gives it back. */
  async setLine(up: boolean): Promise<void> {
    await this.parts.line.set(up)
    this.feed.send({ type: "line", up })
  }

  /** @throws RequestError while time is being moved. */
  async moveTime(minutes: number): Promise<void> {
    await this.parts.time.moveOn(minutes)
    this.feed.send({ type: "time", aheadMs: this.parts.time.aheadMs })
    // An hour later nothing is at work in Slack's eyes, without anybody's doing.
    for (const [thread, session] of Object.entries(sessionsOf(this.parts.slack))) {
      this.feed.send({ type: "session", thread, session })
    }
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#service.stop()
    this.#github.stop()
    this.feed.close()
  }

  #saw(sighting: Sighting | undefined): void {
    if (sighting === undefined) return
    this.feed.send({ type: "traffic", entry: this.#traffic.add(sighting) })
  }
}
