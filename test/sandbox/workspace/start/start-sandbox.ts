import { readFile } from "node:fs/promises"
import { createLog, type Log } from "../../../../src/runtime/log.ts"
import { connectRedis } from "../../../../src/store/connect.ts"
import { MovableClock } from "../../kit/movable-clock.ts"
import type { LocalSlackOptions } from "../../slack/options.ts"
import { SECRETS, startTestBed, type TestBed, type TestBedOptions } from "../../test-bed.ts"
import { readCatalog, readPrompts } from "../catalog.ts"
import { serveWorkspace } from "../http/serve.ts"
import { TimeControl } from "../time-control.ts"
import { WorkspaceApi } from "../workspace-api.ts"
import { botEnv } from "./bot-env.ts"
import { builtPage, MANIFEST } from "./built-page.ts"
import type { CommandLine } from "./command-line.ts"
import { openFrontDoor } from "./front-door.ts"
import { openSandboxStore, type SandboxStore } from "./sandbox-store.ts"

/** Slack retries an event that nobody acknowledged at once, after one and after five minutes; ms. */
const SLACK_RETRIES_MS = [0, 60_000, 300_000]
/** Long enough to see the bot follow, short enough to wait for; ms. */
const PLAN = { ending: "pull_request", afterMs: 3_000 } as const

export interface Sandbox {
  readonly url: string
  /** Where the bot keeps its data, in words. */
  readonly store: string
  readonly testBed: TestBed
  readonly api: WorkspaceApi
  stop(): Promise<void>
}

/** What is quicker, or slower, than for somebody who tries the bot out. Rates of its own lift Slack's limits. */
export type Pace = Pick<TestBedOptions, "timing" | "coldMs">

/** Starts everything, in the order in which a fault is cheapest; what was started is ended again. */
export async function startSandbox(
  options: Pick<CommandLine, "port" | "mode" | "keep">,
  env: Readonly<Record<string, string | undefined>>,
  pace: Pace = {},
): Promise<Sandbox> {
  const [pageFolder, manifest] = await Promise.all([builtPage(), readFile(MANIFEST, "utf8")])
  const door = await openFrontDoor(options.port)
  const endings: (() => Promise<void>)[] = [() => door.close()]
  const end = async () => {
    for (const ending of endings.toReversed()) await ending()
  }
  try {
    const store = await openSandboxStore(env, { port: door.port, keep: options.keep }, quietLog())
    endings.push(() => store.close())
    const { mode } = options
    const clock = new MovableClock()
    const prompts = readPrompts(manifest)
    const settings = botEnv(env)
    const testBed = await openTestBed({ store, mode, settings, prompts, clock, pace })
    endings.push(async () => {
      await testBed[Symbol.asyncDispose]()
    })
    // Of its own: the bot's connections end with the bot, which is restarted when time is moved.
    const redis = connectRedis(store.address, "worker", quietLog())
    endings.push(async () => redis.disconnect())
    const { slack, docs } = testBed
    const api = new WorkspaceApi({
      slack,
      docs,
      catalog: readCatalog(manifest),
      bot: { user: botUser(testBed), mode, store: store.words },
      time: new TimeControl({ clock, testBed, redis }),
    })
    endings.push(async () => {
      api.close()
      await door.close()
    })
    door.answerWith(serveWorkspace(api, pageFolder))
    return { url: door.url, store: store.words, testBed, api, stop: end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Who merges in the page sees the card say so soon, however old the pull request is; ms. */
const PULL_LOOKS = { firstMs: 2_000, soonestMs: 5_000, longestMs: 30_000 }

async function openTestBed(parts: {
  store: SandboxStore
  mode: CommandLine["mode"]
  settings: Readonly<Record<string, string>>
  prompts: LocalSlackOptions["suggestedPrompts"]
  clock: MovableClock
  pace: Pace
}): Promise<TestBed> {
  const { store, mode, settings, prompts: suggestedPrompts, clock, pace } = parts
  const testBed = await startTestBed({
    address: store.address,
    mode,
    slack: {
      seed: "sandbox",
      rateLimits: pace.timing?.rates ? false : "slack",
      eventRetryDelaysMs: SLACK_RETRIES_MS,
      agent: "declared",
      suggestedPrompts,
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

function botUser({ slack }: TestBed): string {
  return slack.users().find((user) => user.role === "bot")?.id ?? ""
}
