import { expect, test } from "vitest"
import { TIMING } from "../../src/config/timing.ts"
import { DocsError } from "../../src/errors/docs-error.ts"
import { type Health, pausedBy } from "../../src/jobs/pause.ts"

const facts = { print: "p", lengths: TIMING.pauses, now: 0 }

function pausesMs(pauseMs: number, times: number): number[] {
  let health: Health = { tries: 0 }
  return Array.from({ length: times }, () => {
    const cause = new DocsError({ operation: "create job", fault: "rate_limited" })
    const after = pausedBy(
      health,
      { kind: "put_back", reason: "rate_limited", pauseMs, cause },
      facts,
    )
    health = { ...health, tries: after?.tries ?? 0 }
    return Number(after?.until)
  })
}

test("a queue that is refused again and again pauses for longer than the service names, up to a bound", () => {
  expect(pausesMs(1000, 4)).toEqual([1000, 2000, 4000, 8000])
  expect(pausesMs(1000, 12).at(-1)).toBe(TIMING.pauses.longestMs)
  expect(pausesMs(3_600_000, 2)).toEqual([3_600_000, 3_600_000])
})
