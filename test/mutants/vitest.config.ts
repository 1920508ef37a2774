import { defineConfig } from "vitest/config"

/** The tests of pure code, for Stryker, which mutates that alone. */
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/unit/**/*.test.ts"],
    exclude: ["test/unit/documents/**", "test/unit/supply-chain.test.ts"],
    provide: { propertyRuns: 0.25 },
  },
})
