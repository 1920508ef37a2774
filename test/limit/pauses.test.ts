import { describe, expect, test } from "vitest"
import { outcomeOf } from "../../src/asking/send-to-agent.ts"
import { DocsError } from "../../src/docs-service/docs-error.ts"
import { Deployment } from "../../src/jobs/deployment.ts"
import { queueKeys } from "../../src/jobs/job-keys.ts"
import type { Health } from "../../src/jobs/pause-record.ts"
import type { AttemptOutcome } from "../../src/jobs/send-round.ts"
import { isHeldFor, PAUSES, pausedBy } from "../../src/limit/pauses.ts"
import { useRedis } from "../helpers/redis.ts"
import { CREATED, openQueue, PROJECT } from "../helpers/waiting.ts"

const redis = useRedis()

const NOW = 1000
const facts = { keyId: "p", lengths: PAUSES, now: NOW }
const { firstMs, outageFirstMs, longestMs } = PAUSES
const cause = new DocsError({ operation: "create job", fault: "rate_limited" })
const limited = (pauseMs?: number): AttemptOutcome => ({
  kind: "put_back",
  reason: "rate_limited",
  cause,
  ...(pauseMs === undefined ? {} : { pauseMs }),
})
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

test.each([
  ["rate_limited", "put_back"],
  ["key_refused", "put_back"],
  ["forbidden", "put_back"],
  ["unreachable", "put_back"],
  ["bad_request", "refused"],
  ["not_found", "refused"],
  ["interrupted", "unknown"],
  ["server_error", "unknown"],
  ["broken_body", "unknown"],
] as const)("a creation that failed as %s: %s", (kind, outcome) => {
  expect(outcomeOf(new DocsError({ operation: "create job", fault: kind })).kind).toBe(outcome)
})

describe("what came of a creation pauses the queue or ends its pause", () => {
  const refused: AttemptOutcome = { kind: "put_back", reason: "key_refused", cause }
  const refusal = { reason: "key_refused", until: "ever", key: "p" }
  const WAITS: Health = { tries: 2, reason: "forbidden", since: 5, until: "ever", key: "p" }
  test.each<[string, Health, AttemptOutcome, object | undefined]>([
    ["a limit without a time", { tries: 0 }, limited(), { until: NOW + firstMs, since: NOW }],
    ["a limit for no time", { tries: 0 }, limited(0), { until: NOW + 1000 }],
    ["a limit for a moment", { tries: 0 }, limited(3), { until: NOW + 1000 }],
    ["a refused key", { tries: 0 }, refused, { ...refusal, tries: 1, since: NOW }],
    ["a refused key once more", WAITS, refused, { ...refusal, tries: 3, since: 5 }],
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
})

test("LIM-10: a 403 to one request is its own; to two different ones in a row, whichever workers sent them, it is the key's", async () => {
  const store = { redis: redis() }
  const worker = () => new Deployment(store, { jobPath: "/", messagePath: undefined })
  const [one, other] = [worker(), worker()]
  const isAlone = (by: Deployment, request: string) => by.requestForbidden("docs", request)
  expect(await isAlone(one, "a")).toBe(true)
  expect(await isAlone(other, "a")).toBe(true)
  expect(await isAlone(other, "b")).toBe(false)

  expect(await isAlone(one, "c")).toBe(true)
  await other.requestAnswered("docs")
  expect(await isAlone(one, "d")).toBe(true)
})

test("while a new key works, a process that still has the refused one neither starts nor pauses anything", async () => {
  const withKey = (keyId: string) => openQueue(redis(), { keyIdOf: () => keyId })
  const [old, renewed] = [withKey("old"), withKey("new")]
  const [id] = await old.ask("ada", 3)
  await old.start({ kind: "put_back", reason: "key_refused" })
  expect(await old.slots.peek(PROJECT)).toBeGreaterThan(0)

  expect(await renewed.start()).toMatchObject({ job: { id } })

  expect(await old.slots.peek(PROJECT)).toBeGreaterThan(0)
  expect(await renewed.slots.peek(PROJECT)).toBe(0)
})

test("LIM-9: a pause that begins between a process's look and its grant holds the grant back", async () => {
  const { health, slots, ask } = openQueue(redis())
  await ask("ada")
  const { read } = health
  health.read = async (queue) => {
    const before = await read(queue)
    await health.change(queue, (_, now) => ({ reason: "outage", since: now, until: now + 5000 }))
    return before
  }

  expect(await slots.grant(PROJECT, "token")).toHaveProperty("waitMs")

  expect(await slots.live(PROJECT)).toEqual([])
})

test("SAFE-6: a pause that does not parse stops nobody, and is named", async () => {
  const { slots, ask, broken } = openQueue(redis())
  await ask("ada")
  const { pause } = queueKeys(PROJECT)
  await redis().hset(pause, { rev: "2", reason: "of another version", until: "ever", tries: "1" })
  expect(await slots.peek(PROJECT)).toBe(0)
  expect(broken).toContain(pause)
})

describe.each([undefined, "old", "new"])("when the refused key is %s", (key) => {
  test.each([
    ["ever", "old"],
    ["ever", "new"],
    ["read", "old"],
    [1, "old"],
    [1, "new"],
  ] as const)(
    "a pause until %s holds a process with the %s key by the same rule everywhere",
    async (until, keyId) => {
      const { health, slots, ask } = openQueue(redis(), { keyIdOf: () => keyId })
      await ask("ada")
      await health.change(PROJECT, () => ({ reason: "forbidden", since: 1, until, key }))
      const isHeld = isHeldFor(await health.read(PROJECT), keyId)
      expect((await slots.peek(PROJECT)) > 0).toBe(isHeld)
      expect(isHeld).toBe(until !== 1 && key !== (keyId === "old" ? "new" : "old"))
    },
  )
})
