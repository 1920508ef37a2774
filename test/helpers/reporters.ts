import { stripVTControlCharacters } from "node:util"
import type { Reporter, SerializedError, TestCase, Vitest } from "vitest/node"
import { findRedisServer } from "../../src/store/embedded-redis.ts"

/**
 * Prints each test that passed only on its second try, with its first errors: such a run succeeds,
 * but still has a fault to find, in the bot or in the test. The last line of every run counts them.
 */
export class SecondTries implements Reporter {
  readonly #found: string[] = []
  #tries = 0

  onTestCaseResult(test: TestCase): void {
    this.#tries += test.diagnostic()?.retryCount ?? 0
    if (!test.diagnostic()?.flaky) return
    const reasons = (test.result().errors ?? []).flatMap(withCauses)
    const title = `${test.module.relativeModuleId} > ${test.fullName}`
    this.#found.push([title, ...reasons.map(stripVTControlCharacters)].join("\n"))
  }

  onTestRunEnd(): void {
    for (const found of this.#found) console.error(`Passed at the second try: ${found}\n`)
    process.stdout.write(`Second tries: ${this.#tries}, of which ${this.#found.length} passed\n`)
  }
}

/** Returns an error with its causes: a failed property names the broken expectation only there. */
function withCauses({ stack, message, cause }: SerializedError): string[] {
  return [stack ?? message, ...(cause ? withCauses(cause) : [])]
}

/** Says what a run did without: tests that need more than Node, and a real redis-server. */
export class LeftOut implements Reporter {
  #projects: string[] = []

  onInit({ projects }: Vitest): void {
    this.#projects = projects.map(({ name }) => name)
  }

  onTestRunEnd(): void {
    if (!this.#projects.includes("promises")) return
    const kinds = ["thorough", "doubles", "system", "campaigns"]
    const left = kinds.filter((name) => !this.#projects.includes(name))
    if (left.length > 0)
      process.stdout.write(
        `\nNot run: ${left.join(", ")}. \`npm run test:all\` runs all, and needs redis-server and Chromium.\n`,
      )
    if (!findRedisServer(process.env.PATH))
      process.stdout.write(
        "Redis ran in this process, because there's no redis-server on PATH; nothing survives a restart.\n",
      )
  }
}
