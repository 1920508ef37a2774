import { readFile } from "node:fs/promises"
import { createLog, type Log } from "../../../runtime/log.ts"
import { type House, SECRETS, startHouse } from "../../house.ts"
import { readCatalog } from "../catalog.ts"
import { serveWorkspace } from "../http/serve.ts"
import { playStory } from "../story/play-story.ts"
import { STORY_ENV } from "../story/script.ts"
import { WorkspaceApi } from "../workspace-api.ts"
import { botEnv } from "./bot-env.ts"
import { builtPage, MANIFEST } from "./built-page.ts"
import type { CommandLine } from "./command-line.ts"
import { choosePort } from "./free-port.ts"
import { openSandboxStore } from "./sandbox-store.ts"

/** Slack retries an event that nobody acknowledged at once, after one and after five minutes; ms. */
const SLACK_RETRIES_MS = [0, 60_000, 300_000]
/** Long enough to see the bot follow, short enough to wait for; ms. */
const PLAN = { ending: "pull_request", afterMs: 6_000 } as const

export interface Sandbox {
  readonly url: string
  /** Where the bot keeps its data, in words. */
  readonly store: string
  readonly house: House
  readonly api: WorkspaceApi
  /** Plays the scripted minute; resolves at its end. */
  play(restMs: number): Promise<void>
  stop(): Promise<void>
}

/** Starts everything, in the order in which a fault is cheapest. */
export async function startSandbox(
  options: Pick<CommandLine, "port" | "mode" | "keep" | "story">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Sandbox> {
  const [pageFolder, manifest, port] = await Promise.all([
    builtPage(),
    readFile(MANIFEST, "utf8"),
    choosePort(options.port),
  ])
  const settings = { ...botEnv(env), ...(options.story ? STORY_ENV : {}) }
  // The bot's log belongs into the inspector: on the terminal it would bury the address.
  const lines: string[] = []
  const sink = {
    write(line: string): void {
      lines.push(line)
    },
  }
  const store = await openSandboxStore(
    env,
    { port, keep: options.keep && !options.story },
    quietLog(),
  )
  const house = await startHouse({
    address: store.address,
    mode: options.mode,
    slack: { seed: "sandbox", rateLimits: "slack", eventRetryDelaysMs: SLACK_RETRIES_MS },
    env: settings,
    log: sink,
  })
  house.docs.planAll(PLAN)
  const api = new WorkspaceApi({
    slack: house.slack,
    docs: house.docs,
    redis: house.services.patient,
    catalog: readCatalog(manifest),
    bot: { user: botUser(house), mode: options.mode, store: store.words },
  })
  for (const line of lines) api.log(line)
  sink.write = (line) => api.log(line)
  const server = await serveWorkspace(api, { port, pageFolder })
  const ending = new AbortController()
  return {
    url: server.url,
    store: store.words,
    house,
    api,
    play: (restMs) => playStory(api, { restMs, signal: ending.signal }),
    async stop() {
      ending.abort()
      api.close()
      await server.close()
      await house[Symbol.asyncDispose]()
      await store.close()
    },
  }
}

function quietLog(): Log {
  return createLog("error", Object.values(SECRETS))
}

function botUser({ slack }: House): string {
  return slack.users().find((user) => user.role === "bot")?.id ?? ""
}
