import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { importsIn, sourcesIn } from "../helpers/sources.ts"

const importsOf = importsIn("test")
const sources = new Set(sourcesIn("test"))

/** Returns whether a test starts the bot or Redis, itself or by what it imports. */
function needsParties(file: string, seen = new Set<string>()): boolean {
  if (/^(sandbox\/test-bed|helpers\/redis)/.test(file)) return true
  if (seen.has(file) || !sources.has(file)) return false
  seen.add(file)
  return importsOf(file).some((other) => needsParties(other, seen))
}

/**
 * Configuration for Stryker, which mutates the pure code and runs the tests of each mutant hundreds of
 * times: only those that call functions, because with the whole bot a run would take days.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: [...sources]
      .filter((file) => /^[a-z]+\/[^/]+\.test\.ts$/.test(file) && !needsParties(file))
      .map((file) => `test/${file}`),
    testTimeout: 60_000,
    provide: { propertyRuns: 0.05 },
  },
})
