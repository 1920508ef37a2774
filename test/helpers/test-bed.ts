import { beforeEach, type TestAPI, test } from "vitest"
import type { Timing } from "../../src/config/config.ts"
import { secret } from "../../src/lib/secrets.ts"
import type { JobPlan } from "../sandbox/docs-service/agent-job.ts"
import { startTestBed, type TestBedOptions } from "../sandbox/test-bed.ts"
import { HOSTILE_PATHS } from "./hostile-paths.ts"
import { type ReadingBed, readingBed } from "./reading.ts"
import { useTestRedis } from "./redis.ts"
import { surprises, type WatchedTestBed } from "./silence.ts"

/**
 * Timing that suits tests, with every production rule in force. Only the bot's own waits are
 * shorter; time limits for other services and processes stay, because machines may be slow.
 */
export const FAST_TIMING = {
  rates: { channelPost: [20, 3], workspacePost: [6, 20], edit: [32, 8], session: [32, 8] },
  tries: { unreachableMs: 60, lookUpAgainMs: 100, failedMs: 100 },
  careMs: 200,
  restMs: 250,
  probeMs: 100,
  socketsApartMs: 20,
  // A busy machine is no reason to say that an answer takes longer than usual.
  workWithinMs: 60_000,
  // Looks once at a new link, then only when hastened.
  pulls: { firstMs: 20, soonestMs: 600_000, longestMs: 600_000, eachMs: 0 },
} satisfies Partial<Timing>
export const FAST_ENV = {
  START_DELAY_SECONDS: "0",
  // Most tests compare prompts whole; those of the line itself turn it on.
  PR_ORIGIN: "off",
  POLL_MIN_MS: "50",
  POLL_MAX_MS: "200",
  LOG_LEVEL: "error",
}

/** Run of a job that opens a pull request at once. */
export const READY: JobPlan = { ending: "pull_request", afterMs: 20 }
export const UNENDING: JobPlan = { ending: "never", afterMs: 0 }

/** Test bed that is watched for what the bot does after the test, with its log. */
export interface Bed extends ReadingBed, Pick<WatchedTestBed, "goesOn" | "isReplaced"> {
  readonly redisUrl: string
  /** Lines of the log so far. */
  readonly lines: readonly string[]
  /** Events of these lines, parsed. */
  readonly logged: readonly Logged[]
}

/** Event in the log, with its fields. */
type Logged = Record<string, unknown> & { level: string; msg: string }

export interface Options extends Omit<TestBedOptions, "address">, Pick<WatchedTestBed, "goesOn"> {
  /** Run of each of the service's jobs; absent: they run until a test ends them, or plans otherwise. */
  plan?: JobPlan
}

/** Starts a bed at this Redis, of which nobody watches what the bot does after the test. */
export async function bedAt(
  redisUrl: string,
  { env, ...options }: Omit<TestBedOptions, "address"> = {},
): Promise<ReadingBed> {
  const address = { kind: "server", url: secret(redisUrl) } as const
  const usual = { address, timing: FAST_TIMING, log: { write() {} } }
  return readingBed(await startTestBed({ ...usual, ...options, env: { ...FAST_ENV, ...env } }))
}

/** Returns vitest's `test`, whose functions get what `start` resolves to if they take it. */
export function testIn<Bed>(start: () => Promise<Bed>) {
  const inBed = (title: string, run: (bed: Bed) => unknown, timeoutMs?: number) => {
    const bed = async () => (run.length > 0 ? [await start()] : [])
    test(title, async () => Reflect.apply(run, undefined, await bed()), timeoutMs)
  }
  // `each` and `for` find their context on the function on which they are called.
  const whole: typeof inBed & Pick<TestAPI, "each" | "for"> = Object.setPrototypeOf(inBed, test)
  return whole
}

/**
 * Creates test beds that share one Redis, which is emptied before each. Fails a test if the local
 * Slack saw something that the bot must not send, or if the bot posts, creates or sends anything
 * after the test's last word: a test that ends earlier says so with `goesOn`.
 * @returns `test`, which starts a bed, and `testBed` for one with more options
 */
export function useTestBed(options: Options = {}) {
  const redis = useTestRedis()
  const testBeds: WatchedTestBed[] = []

  beforeEach(() => async () => {
    const faults: string[] = []
    for (const testBed of testBeds.splice(0)) {
      faults.push(...(await surprises(testBed)), ...testBed.slack.violations)
      await testBed[Symbol.asyncDispose]()
    }
    if (faults.length > 0) throw new Error(`The bot did what it should not:\n${faults.join("\n")}`)
  })

  async function testBed(own: Options = {}) {
    const { goesOn, plan = UNENDING, ...more } = { ...options, ...own }
    const { url: redisUrl, flush } = redis()
    await flush()
    const lines: string[] = []
    const logged: Logged[] = []
    const write = (line: string) => {
      lines.push(line)
      logged.push(JSON.parse(line))
    }
    const started = await bedAt(redisUrl, {
      log: { write },
      ...more,
      env: { ...options.env, ...own.env },
      docs: { visitors: { oddPaths: HOSTILE_PATHS }, ...options.docs, ...own.docs },
      slack: { ...options.slack, ...own.slack },
    })
    started.docs.planAll(plan)
    const watched: Bed = Object.assign(started, { goesOn, lines, logged, redisUrl })
    testBeds.push(watched)
    return watched
  }
  return { test: testIn(testBed), testBed }
}
