import type { Reporter, Vitest } from "vitest/node"
import { findRedisServer } from "../../src/store/embedded-redis.ts"

/** Says what a run did without: tests that need more than Node, and a real redis-server. */
export class LeftOut implements Reporter {
  #projects: string[] = []

  onInit({ projects }: Vitest): void {
    this.#projects = projects.map(({ name }) => name)
  }

  onTestRunEnd(): void {
    if (this.#projects.includes("system") || !this.#projects.includes("promises")) return
    process.stdout.write(
      "\nNot run: `thorough`, `doubles`, and `system`, which needs redis-server and Chromium. `npm run test:all` runs them too.\n",
    )
    if (!findRedisServer(process.env.PATH))
      process.stdout.write(
        "Redis ran in this process, because there's no redis-server on PATH; nothing survives a restart.\n",
      )
  }
}
