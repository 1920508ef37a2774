import { defineConfig } from "vitest/config"

/**
 * `unit`: pure code. `integration`: the bot against the local Slack and the local documentation
 * service, on whatever Redis the machine has. `system`: what needs a real redis-server, several
 * processes or a browser; only `npm run test:all` runs it.
 */
const project = (name: string, testTimeout: number, globalSetup: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    globalSetup,
  },
})

export default defineConfig({
  test: {
    // The tests mostly wait for each other's HTTP: more files than cores at a time.
    maxWorkers: 4,
    root: new URL("..", import.meta.url).pathname,
    projects: [
      project("unit", 60_000),
      project("integration", 60_000),
      project("system", 300_000, ["test/helpers/build.ts"]),
    ],
  },
})
