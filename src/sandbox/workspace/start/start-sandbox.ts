import { readFile } from "node:fs/promises"
import { createLog, type Log } from "../../../runtime/log.ts"
import { type House, SECRETS, startHouse } from "../../house.ts"
import { readCatalog } from "../catalog.ts"
import { serveWorkspace } from "../http/serve.ts"
import { ServiceLine } from "../service-line.ts"
import { playStory } from "../story/play-story.ts"
import { STORY_ENV } from "../story/script.ts"
import { WorkspaceApi } from "../workspace-api.ts"
import { botEnv } from "./bot-env.ts"
import { builtPage, MANIFEST } from "./built-page.ts"
import type { CommandLine } from "./command-line.ts"
import { choosePort } from "./free-port.ts"
import { createLogTap, type LogTap } from "./log-tap.ts"
import { openSandboxStore, type SandboxStore } from "./sandbox-store.ts"

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

/** Starts everything, in the order in which a fault is cheapest; what was started is ended again. */
export async function startSandbox(
  options: Pick<CommandLine, "port" | "mode" | "keep" | "story">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Sandbox> {
  const [pageFolder, manifest, port] = await Promise.all([
    builtPage(),
    readFile(MANIFEST, "utf8"),
    choosePort(options.port),
  ])
  const keep = options.keep && !options.story
  const store = await openSandboxStore(env, { port, keep }, quietLog())
  const line = await ServiceLine.open()
  const endings: (() => Promise<void>)[] = [() => store.close(), () => line.close()]
  const end = async () => {
    for (const ending of endings.toReversed()) await ending()
  }
  try {
    const log = createLogTap()
    const settings = { ...botEnv(env), ...(options.story ? STORY_ENV : {}) }
    const { mode } = options
    const house = await openHouse({ store, line, mode, settings, log })
    endings.push(async () => {
      await house[Symbol.asyncDispose]()
    })
    const api = new WorkspaceApi({
      slack: house.slack,
      docs: house.docs,
      line,
      redis: house.services.patient,
      catalog: readCatalog(manifest),
      bot: { user: botUser(house), mode, store: store.words },
    })
    log.pourInto((text) => api.log(text))
    const server = await serveWorkspace(api, { port, pageFolder })
    const ending = new AbortController()
    endings.push(async () => {
      ending.abort()
      api.close()
      await server.close()
    })
    const play = (restMs: number) => playStory(api, { restMs, signal: ending.signal })
    return { url: server.url, store: store.words, house, api, play, stop: end }
  } catch (error) {
    await end()
    throw error
  }
}

async function openHouse(parts: {
  store: SandboxStore
  line: ServiceLine
  mode: CommandLine["mode"]
  settings: Readonly<Record<string, string>>
  log: LogTap
}): Promise<House> {
  const { store, line, mode, settings, log } = parts
  const house = await startHouse({
    address: store.address,
    mode,
    slack: { seed: "sandbox", rateLimits: "slack", eventRetryDelaysMs: SLACK_RETRIES_MS },
    env: { ...settings, DOCS_API_URL: line.url },
    log,
  })
  line.leadTo(Number(new URL(house.docs.url).port))
  house.docs.planAll(PLAN)
  return house
}

function quietLog(): Log {
  return createLog("error", Object.values(SECRETS))
}

function botUser({ slack }: House): string {
  return slack.users().find((user) => user.role === "bot")?.id ?? ""
}
