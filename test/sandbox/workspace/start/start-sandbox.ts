import { createLog, type Log } from "../../../../src/lib/log.ts"
import { SCOPES } from "../../../../src/slack/scopes.ts"
import { connectRedis } from "../../../../src/store/connect.ts"
import { MovableClock } from "../../kit/movable-clock.ts"
import { readAgentManifest } from "../../manifest.ts"
import { SECRETS, startTestBed, type TestBed, type TestBedOptions } from "../../test-bed.ts"
import { catalogOf } from "../catalog.ts"
import { buildPage } from "../http/page.ts"
import { serveWorkspace } from "../http/serve.ts"
import { createTimeControl } from "../time-control.ts"
import { WorkspaceApi } from "../workspace-api.ts"
import { botEnv } from "./bot-env.ts"
import type { CommandLine } from "./command-line.ts"
import { openFrontDoor } from "./front-door.ts"
import { openSandboxStore, type SandboxStore } from "./sandbox-store.ts"

/** Waits in ms before Slack's retries of an unacknowledged event. */
const SLACK_RETRIES_MS = [0, 60_000, 300_000]
/** Default plan; its time in ms is enough to see the bot work, and short enough to wait for. */
export const PLAN = { ending: "pull_request", afterMs: 3_000 } as const

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** Timing other than for people who try the bot. Custom rates disable Slack's limits. */
export type Pace = Pick<TestBedOptions, "timing" | "coldMs">

/** Starts first what fails cheaply; after a failure, stops what has started. */
export async function startSandbox(
  options: Pick<CommandLine, "port" | "mode">,
  env: Readonly<Record<string, string | undefined>>,
  pace: Pace = {},
) {
  const page = await buildPage()
  const door = await openFrontDoor(options.port)
  const endings: (() => Promise<void>)[] = [() => door.close()]
  const end = async () => {
    for (const ending of endings.toReversed()) await ending()
  }
  try {
    const store = await openSandboxStore(env, new URL(door.url).port, quietLog())
    endings.push(() => store.close())
    const { mode } = options
    const clock = new MovableClock()
    // The app is an agent until someone changes that.
    const catalog = catalogOf(readAgentManifest())
    const settings = botEnv(env)
    const testBed = await openTestBed({ store, mode, settings, clock, pace })
    endings.push(async () => {
      await testBed[Symbol.asyncDispose]()
    })
    // A separate connection: the bot's own ends when the bot restarts to skip time.
    const redis = connectRedis(store.address, "worker", quietLog())
    endings.push(async () => redis.disconnect())
    const api = new WorkspaceApi({
      slack: testBed.slack,
      catalog,
      time: createTimeControl({ clock, testBed, redis }),
    })
    endings.push(async () => api.close())
    door.answerWith(serveWorkspace(api, page))
    // The store in words for people.
    return { url: door.url, store: store.words, testBed, api, stop: end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Times in ms between checks of a pull request, so that the card shows a merge soon. */
export const PULL_LOOKS = { firstMs: 2_000, soonestMs: 5_000, longestMs: 30_000, eachMs: 700 }

async function openTestBed(parts: {
  store: SandboxStore
  mode: CommandLine["mode"]
  settings: Readonly<Record<string, string>>
  clock: MovableClock
  pace: Pace
}): Promise<TestBed> {
  const { store, mode, settings, clock, pace } = parts
  const testBed = await startTestBed({
    address: store.address,
    dataDir: store.dataDir,
    mode,
    slack: {
      seed: "sandbox",
      scopes: [...Object.keys(SCOPES), "files:read"],
      rateLimits: pace.timing?.rates ? false : "slack",
      eventRetryDelaysMs: SLACK_RETRIES_MS,
      agent: "declared",
    },
    env: settings,
    followsPulls: true,
    ...pace,
    timing: { pulls: PULL_LOOKS, ...pace.timing },
    clock,
  })
  testBed.docs.planAll(PLAN)
  return testBed
}

function quietLog(): Log {
  return createLog("error", Object.values(SECRETS))
}
