import type { Reporter, Vitest } from "vitest/node"

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
  }
}
