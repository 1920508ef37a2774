import { controlSnapshot } from "../docs-service/control.ts"
import type { DocsService } from "../docs-service/service.ts"
import type { LocalSlack } from "../slack/local-slack.ts"
import { Feed } from "./feed.ts"
import { slackUpdate } from "./slack-updates.ts"
import { sessionsOf, snapshot } from "./snapshot.ts"
import type { TimeControl } from "./time-control.ts"
import type { BotFacts, Catalog, WorkspaceState } from "./wire.ts"

/** Time in ms between updates of the service's state: it reports every request. */
const SERVICE_REST_MS = 60

export interface WorkspaceParts {
  readonly slack: LocalSlack
  readonly docs: DocsService
  readonly catalog: Catalog
  readonly bot: BotFacts
  readonly time: TimeControl
}

/** State that a page can see, and the updates to it. */
export class WorkspaceApi {
  readonly parts: WorkspaceParts
  readonly feed = new Feed()
  readonly #service: ReturnType<typeof coalesce>
  readonly #unsubscribe: (() => void)[]

  constructor(parts: WorkspaceParts) {
    this.parts = parts
    const { slack, docs } = parts
    this.#service = coalesce(SERVICE_REST_MS, () =>
      this.feed.send({ type: "service", service: controlSnapshot(docs) }),
    )
    this.#unsubscribe = [
      slack.subscribe((change) => {
        const update = slackUpdate(slack, change)
        if (update) this.feed.send(update)
      }),
      docs.subscribe(() => this.#service.request()),
    ]
  }

  /** Returns the complete current state. */
  state(): WorkspaceState {
    const { slack, docs, bot, catalog, time } = this.parts
    return { ...snapshot(slack, docs), bot, catalog, aheadMs: time.aheadMs }
  }

  /** Skips ahead. @throws RequestError if a skip is already in progress. */
  async moveTime(minutes: number): Promise<void> {
    await this.parts.time.moveOn(minutes)
    this.feed.send({ type: "time", aheadMs: this.parts.time.aheadMs })
    // Slack ends the processing of a session after an hour, without any event.
    for (const [thread, session] of Object.entries(sessionsOf(this.parts.slack))) {
      this.feed.send({ type: "session", thread, session })
    }
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#service.stop()
    this.feed.close()
  }
}

/** Calls `act` once, `ms` after the first of any number of requests. */
function coalesce(ms: number, act: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    request() {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
