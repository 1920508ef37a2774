import { afterAll, beforeAll, beforeEach } from "vitest"
import type { Timing } from "../../src/config/timing.ts"
import { secret } from "../../src/lib/secret.ts"
import { startTestBed, type TestBedOptions } from "../sandbox/test-bed.ts"
import { HOSTILE_PATHS } from "./hostile-paths.ts"
import { redisForFile, type TestRedis } from "./redis.ts"
import { surprises, type WatchedTestBed } from "./silence.ts"

/**
 * Timing that suits tests, with every production rule in force. Only the bot's own waits are
 * shorter; time limits for other services and processes stay, because machines may be slow.
 */
export const FAST_TIMING = {
  rates: { channelPost: [20, 3], workspacePost: [6, 20], edit: [32, 8], session: [32, 8] },
  tries: { unreachableMs: 60, lookUpAgainMs: 100, failedMs: 100 },
  careMs: 60,
  restMs: 50,
  probeMs: 100,
  socketsApartMs: 20,
  pulls: { firstMs: 20, soonestMs: 50, longestMs: 200, eachMs: 0 },
} satisfies Partial<Timing>
export const FAST_ENV = {
  START_DELAY_SECONDS: "0",
  // Most tests compare prompts whole; those of the line itself turn it on.
  PR_ORIGIN: "off",
  POLL_MIN_MS: "50",
  POLL_MAX_MS: "200",
  LOG_LEVEL: "error",
}

export type Options = Omit<TestBedOptions, "address"> & Pick<WatchedTestBed, "goesOn">

/**
 * Creates test beds that share one Redis, which is emptied before each. Fails a test if the local
 * Slack saw something that the bot must not send, or if the bot posts, creates or sends anything
 * after the test's last word: a test that ends earlier says so with `goesOn`.
 */
export function useTestBed(options: Options = {}) {
  const running: { redis?: TestRedis; testBeds: WatchedTestBed[] } = { testBeds: [] }

  beforeAll(async () => {
    running.redis = await redisForFile()
  })

  beforeEach(() => async () => {
    const faults: string[] = []
    for (const testBed of running.testBeds.splice(0)) {
      faults.push(...(await surprises(testBed)), ...testBed.slack.violations)
      await testBed[Symbol.asyncDispose]()
    }
    if (faults.length > 0) throw new Error(`The bot did what it should not:\n${faults.join("\n")}`)
  })

  afterAll(async () => {
    await running.redis?.stop()
  })

  return async ({ goesOn = options.goesOn, ...more }: Options = {}): Promise<WatchedTestBed> => {
    if (!running.redis) throw new Error("The store is not started yet")
    await running.redis.flush()
    const testBed = await startTestBed({
      log: { write() {} },
      timing: FAST_TIMING,
      ...options,
      ...more,
      env: { ...FAST_ENV, ...options.env, ...more.env },
      address: { kind: "server", url: secret(running.redis.url) },
      docs: { visitors: { oddPaths: HOSTILE_PATHS }, ...options.docs, ...more.docs },
      slack: { ...options.slack, ...more.slack },
    })
    const watched = Object.assign(testBed, { goesOn })
    running.testBeds.push(watched)
    return watched
  }
}
