import { defineConfig } from "vitest/config"
import { LeftOut } from "./helpers/left-out.ts"
import { SecondTries } from "./helpers/second-tries.ts"

/**
 * `unit`: pure code. `integration`: the bot against the local Slack and the local documentation
 * service, on whatever Redis the machine has: redis-server where it is on PATH, else one in the process
 * of the tests. `thorough`: the same promises under odd, hostile and many inputs. `doubles`: the local
 * Slack, service and GitHub, and the sandbox, by themselves.
 * `system`: what needs a real redis-server, several processes or a browser.
 * `npm test` runs the first two, which need Node alone; `npm run test:all` all of them.
 */
interface Kind {
  timeoutMs: number
  /** Of two projects in one run the lower goes first. */
  order: number
  /** Processes at a time, absent: as `--maxWorkers` says. */
  workers?: number
  /** How often a test that failed is run again. */
  retry: number
  globalSetup?: string[]
}

const project = (name: string, mode: string, kind: Kind) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: kind.timeoutMs,
    hookTimeout: kind.timeoutMs,
    sequence: { groupOrder: kind.order },
    ...(kind.workers ? { maxWorkers: kind.workers } : {}),
    // The bot keeps nothing in its modules, so files may share them: reading them anew for each file
    // was half of the whole time.
    isolate: false,
    retry: kind.retry,
    globalSetup: kind.globalSetup ?? [],
    // Chance finds by its many runs, not by each of them: `npm test` need not wait for all.
    provide: { propertyRuns: mode === "thorough" ? 1 : 0.05 },
  },
})

// No second try: what fails once has a fault, in the bot or in the test.
const together = { timeoutMs: 60_000, order: 0, retry: 0 }

// Several processes and a browser at a time: whoever waits for one should not wait for the others. Most
// of these tests wait for leases and time limits, so three files run on two cores. A machine that others
// use may hold one of them up for longer than a person would wait: each test has a second try, and
// what needed it is printed with its first failure.
const alone = { timeoutMs: 300_000, order: 1, workers: 3, retry: 1 }

export default defineConfig(({ mode }) => ({
  test: {
    root: new URL("..", import.meta.url).pathname,
    reporters: ["default", new SecondTries(), new LeftOut()],
    // Half of a run's time goes into reading modules otherwise.
    experimental: { fsModuleCache: true },
    // It ends as soon as it holds; the second that vitest gives it says more about the machine.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      project("unit", mode, together),
      project("integration", mode, together),
      project("thorough", mode, together),
      project("doubles", mode, together),
      project("system", mode, { ...alone, globalSetup: ["test/helpers/build.ts"] }),
    ],
  },
}))
