import { stripVTControlCharacters } from "node:util"
import type { Reporter, SerializedError, TestCase } from "vitest/node"

/**
 * Names each test that failed at first and passed then, with what was wrong: a run that is green by a
 * second try still has a fault to be looked for, in the bot or in the test.
 */
export class SecondTries implements Reporter {
  readonly #found: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const reasons = (test.result().errors ?? []).flatMap(withCauses)
    const title = `${test.module.relativeModuleId} > ${test.fullName}`
    this.#found.push([title, ...reasons.map(stripVTControlCharacters)].join("\n"))
  }

  onTestRunEnd(): void {
    for (const found of this.#found) console.error(`Passed at the second try: ${found}\n`)
  }
}

/** What was wrong, and what that came of: a property says only in its cause what did not hold. */
function withCauses({ stack, message, cause }: SerializedError): string[] {
  return [stack ?? message, ...(cause ? withCauses(cause) : [])]
}
