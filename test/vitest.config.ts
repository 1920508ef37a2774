import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { LeftOut, SecondTries } from "./helpers/reporters.ts"

/**
 * Options for one kind of test; each room's folder may hold three. `promises`, in the folder itself:
 * pure code, and the bot with the local Slack and documentation service, on redis-server from PATH or
 * else in the tests' process. `thorough`: the same promises with odd, hostile and many inputs.
 * `system`: tests that need a real redis-server, several processes or a browser. `doubles` are the
 * local Slack, service and GitHub, and the sandbox. `campaigns` are those of the system's tests that
 * load a machine most. `npm test` runs the first, which needs only Node;
 * `npm run test:all` runs them all.
 */
interface Kind {
  include: string[]
  exclude?: string[]
  timeoutMs: number
  /** Order of the projects in a run, lowest first. */
  order: number
  /** Maximum number of processes; absent: `--maxWorkers`. */
  workers?: number
  /** Number of retries for a failed test. */
  retry: number
  globalSetup?: string[]
}

const project = (name: string, mode: string, kind: Kind) => ({
  extends: true as const,
  test: {
    name,
    include: kind.include,
    exclude: kind.exclude ?? [],
    testTimeout: kind.timeoutMs,
    hookTimeout: kind.timeoutMs,
    sequence: { groupOrder: kind.order },
    ...(kind.workers ? { maxWorkers: kind.workers } : {}),
    // The bot keeps no state in its modules, so files can share them: loading them again for each
    // file took half of the total time.
    isolate: false,
    retry: kind.retry,
    globalSetup: kind.globalSetup ?? [],
    // Random tests find faults over many runs, so `npm test` can do with a fraction of the cases.
    provide: { propertyRuns: mode === "thorough" ? 1 : 0.05 },
  },
})

// No retries: a test that fails once has a fault, or the bot has.
const together = { timeoutMs: 60_000, order: 0, retry: 0 }

// Several processes and a browser per test: they mostly wait for leases and time limits, so three
// files run on two cores. A shared machine may delay one for longer than a person would wait, so
// each test has a second try; its first failure is printed, and the run's last line counts them.
const alone = { timeoutMs: 300_000, order: 1, workers: 3, retry: 1 }

/** Crash campaigns: fifteen processes, which starve the other tests beside them, and these them. */
const CAMPAIGNS = "test/limit/system/chaos.test.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
// Vite takes it for the end of a file's name and finds no test.
if (root.includes("#"))
  throw new Error(`Move the clone: Vite can't read ${root}, because of its #.`)

export default defineConfig(({ mode }) => ({
  test: {
    root,
    reporters: ["default", new LeftOut(), new SecondTries()],
    // Otherwise half of a run's time goes into loading modules.
    experimental: { fsModuleCache: true },
    // Polling ends when it succeeds; vitest's one second would measure the machine instead. As long as
    // the local services' `until` waits.
    expect: { poll: { timeout: 45_000 } },
    projects: [
      project("promises", mode, {
        ...together,
        include: ["test/*/*.test.ts", "test/*/documents/*.test.ts"],
        exclude: ["test/doubles/**"],
      }),
      project("thorough", mode, { ...together, include: ["test/*/thorough/**/*.test.ts"] }),
      project("doubles", mode, { ...together, include: ["test/doubles/**/*.test.ts"] }),
      project("system", mode, {
        ...alone,
        include: ["test/*/system/**/*.test.ts"],
        exclude: [CAMPAIGNS],
        globalSetup: ["test/helpers/build.ts"],
      }),
      project("campaigns", mode, { ...alone, order: 2, include: [CAMPAIGNS] }),
    ],
  },
}))
