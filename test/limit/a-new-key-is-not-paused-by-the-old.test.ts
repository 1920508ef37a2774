import { describe, expect, test } from "vitest"
import { isHeldFor, resumed } from "../../src/limit/pauses.ts"
import { useRedis } from "../helpers/redis.ts"
import { openQueue, PROJECT } from "../helpers/waiting.ts"

const redis = useRedis()

test.each([
  ["nothing at all", 0, 1000],
  ["a moment", 3, 1000],
  ["seven seconds", 7000, 7000],
])("a service that asks for a pause of %s is left alone", async (_, pauseMs, restMs) => {
  const now = () => Date.UTC(2026, 10, 20)
  const { slots, ask } = openQueue(redis(), {}, now)
  await ask("ada")
  const grant = await slots.reserve(PROJECT, "token")
  if ("waitMs" in grant) throw new Error("not started")

  await slots.settle(grant, "token", { kind: "put_back", reason: "rate_limited", pauseMs })

  expect(await slots.peek(PROJECT)).toBe(restMs)
})

test("while a new key works, a process that still has the refused one neither starts nor pauses anything", async () => {
  const withKey = (keyId: string) => openQueue(redis(), { keyIdOf: () => keyId })
  const { slots: old, ask } = withKey("old")
  const { slots: renewed } = withKey("new")
  await ask("ada", 3)
  const refused = await old.reserve(PROJECT, "a")
  if ("waitMs" in refused) throw new Error("not started")
  await old.settle(refused, "a", { kind: "put_back", reason: "key_refused" })
  expect(await old.peek(PROJECT)).toBeGreaterThan(0)

  const tried = await renewed.reserve(PROJECT, "b")
  if ("waitMs" in tried) throw new Error("not started")
  expect(tried.job.id).toBe(refused.job.id)
  await renewed.settle(tried, "b", { kind: "created", agentJobId: "agent" })

  expect(await old.peek(PROJECT)).toBeGreaterThan(0)
  expect(await renewed.peek(PROJECT)).toBe(0)
})

test("restored data waits for an admin, whatever the key", async () => {
  const { health, ask } = openQueue(redis(), { keyIdOf: () => "old" })
  await ask("ada")
  await health.change(PROJECT, () => ({ reason: "restored", since: 1, until: "ever" }))
  const { slots } = openQueue(redis(), { keyIdOf: () => "new" })
  expect(await slots.peek(PROJECT)).toBeGreaterThan(0)
  await health.change(PROJECT, resumed)
  expect(await slots.peek(PROJECT)).toBe(0)
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
