import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** Configuration for Stryker, which mutates only the pure code. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/{asking,following,jobs,limit,messages,pulls,visitors}/*.test.ts"],
    provide: { propertyRuns: 0.25 },
  },
})
