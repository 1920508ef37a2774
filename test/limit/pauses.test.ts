import { describe, expect, test } from "vitest"
import { DocsError } from "../../src/docs-service/docs-error.ts"
import { Evidence } from "../../src/docs-service/evidence.ts"
import type { CreationOutcome } from "../../src/jobs/creation-outcome.ts"
import type { Health } from "../../src/jobs/pause-store.ts"
import { PAUSES, pausedBy } from "../../src/limit/pauses.ts"

const NOW = 1000
const facts = { keyId: "p", lengths: PAUSES, now: NOW }
const { firstMs, outageFirstMs, longestMs } = PAUSES
const cause = new DocsError({ operation: "create job", fault: "rate_limited" })
const limited = (pauseMs?: number): CreationOutcome => ({
  kind: "put_back",
  reason: "rate_limited",
  cause,
  ...(pauseMs === undefined ? {} : { pauseMs }),
})
const CREATED = { kind: "created", agentJobId: "agent" } as const
const UNKNOWN = { kind: "unknown", detail: "reset" } as const

/** Returns each pause in ms over `times` refusals in a row. */
function pausesMs(pauseMs: number, times: number): number[] {
  let health: Health = { tries: 0 }
  return Array.from({ length: times }, () => {
    const after = pausedBy(health, limited(pauseMs), facts)
    health = { ...health, tries: after?.tries ?? 0 }
    return Number(after?.until) - NOW
  })
}

test("a queue that is refused again and again pauses for longer than the service names, up to a bound", () => {
  expect(pausesMs(1000, 4)).toEqual([1000, 2000, 4000, 8000])
  expect(pausesMs(1000, 12).at(-1)).toBe(longestMs)
  expect(pausesMs(3_600_000, 2)).toEqual([3_600_000, 3_600_000])
})

describe("what came of a creation pauses the queue or ends its pause", () => {
  const WAITS: Health = { tries: 2, reason: "forbidden", since: 5, until: "ever", key: "p" }
  test.each<[string, Health, CreationOutcome, object | undefined]>([
    ["a limit without a time", { tries: 0 }, limited(), { until: NOW + firstMs, since: NOW }],
    ["an unknown outcome", { tries: 0 }, UNKNOWN, { reason: "outage", until: NOW + outageFirstMs }],
    ["more of the same", { tries: 1, since: 5 }, UNKNOWN, { since: 5, tries: 2 }],
    ["nothing about the service", { tries: 0 }, { kind: "not_allowed" }, undefined],
    ["a limit while it waits for this very key", WAITS, limited(), undefined],
    ["a limit while another key is refused", { ...WAITS, key: "q" }, limited(), { tries: 3 }],
    ["success", WAITS, CREATED, { reason: undefined, until: undefined, key: undefined, tries: 0 }],
    ["success, as before", { tries: 0 }, CREATED, undefined],
    ["success, with another key refused", { ...WAITS, key: "q" }, CREATED, { key: "q" }],
  ])("%s", (_, health, outcome, after) => {
    const found = pausedBy(health, outcome, facts)
    if (after === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(after)
  })

  test.each(["key_refused", "forbidden"] as const)("%s: until somebody mends it", (reason) => {
    const outcome: CreationOutcome = { kind: "put_back", reason, cause }
    const after = { reason, until: "ever", key: "p", tries: 1, since: NOW }
    expect(pausedBy({ tries: 0 }, outcome, facts)).toMatchObject(after)
    expect(pausedBy(WAITS, outcome, facts)).toMatchObject({ since: 5, tries: 3 })
  })
})

test("a 403 to one request is its own; to two different ones in a row it is the key's", () => {
  const evidence = new Evidence()
  const isAlone = (job: string) => evidence.requestForbidden("docs", job)
  expect([isAlone("a"), isAlone("a"), isAlone("b"), isAlone("c")]).toEqual([
    true,
    true,
    false,
    true,
  ])
})
