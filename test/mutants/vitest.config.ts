import { defineConfig } from "vitest/config"

/** Configuration for Stryker, which mutates only the pure code. */
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/{asking,following,jobs,limit,messages,pulls,visitors}/*.test.ts"],
    provide: { propertyRuns: 0.25 },
  },
})
