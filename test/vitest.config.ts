import { defineConfig } from "vitest/config"

/**
 * `unit`: pure code. `integration`: the bot against the local Slack and the local documentation
 * service, on whatever Redis the machine has. `doubles`: the local Slack, service and GitHub, and the
 * sandbox, by themselves. `system`: what needs a real redis-server, several processes or a browser.
 * `npm test` runs the first two, `npm run test:all` all of them.
 */
interface Kind {
  timeoutMs: number
  /** Of two projects in one run the lower goes first. */
  order: number
  workers: number
  /** Whether each file has modules of its own. */
  isolate: boolean
  globalSetup?: string[]
}

const project = (name: string, { timeoutMs, order, workers, isolate, globalSetup = [] }: Kind) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    sequence: { groupOrder: order },
    maxWorkers: workers,
    isolate,
    globalSetup,
  },
})

// The bot keeps nothing in its modules, so files may share them: reading them anew for each file
// was half of the whole time. Both projects mostly wait for each other's HTTP: more files than cores.
const together = { timeoutMs: 60_000, order: 0, workers: 4, isolate: false }

// Several processes and a browser at a time: whoever waits for one should not wait for the others.
const alone = { timeoutMs: 300_000, order: 1, workers: 2, isolate: true }

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    // It ends as soon as it holds; the second that vitest gives it says more about the machine.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      project("unit", together),
      project("integration", together),
      project("doubles", together),
      project("system", { ...alone, globalSetup: ["test/helpers/build.ts"] }),
    ],
  },
})
