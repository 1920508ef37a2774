import { describe, expect, test } from "vitest"
import { jobKeys, queueKeys } from "../../../src/jobs/keys.ts"
import type { CreationOutcome } from "../../../src/jobs/limit/creation-outcome.ts"
import type { RedisClient } from "../../../src/store/script.ts"
import { useRedis } from "../../helpers/redis.ts"
import { openQueue, PROJECT } from "../../helpers/waiting.ts"

const redis = useRedis()
const { creating, log, pause, wait } = queueKeys(PROJECT)

const slots = () => openQueue(redis()).slots

/** Grants a request whose creation is still in progress. */
async function inTheAir() {
  await openQueue(redis()).ask("U1")
  const grant = await slots().reserve(PROJECT, "token")
  if (!("job" in grant)) throw new Error("nothing was granted")
  return grant
}

const counted = () => redis().zcard(log)
const inFlight = () => redis().zcard(creating)

const LOST: readonly [string, (store: RedisClient, key: string) => Promise<unknown>][] = [
  ["is gone", (store, key) => store.del(key)],
  ["is of an unknown state", (store, key) => store.hset(key, "state", "paused")],
]

const NO_EFFECT: readonly CreationOutcome[] = [
  { kind: "put_back", reason: "rate_limited", pauseMs: 5000 },
  { kind: "refused", detail: "HTTP 400" },
  { kind: "needs_job" },
  { kind: "no_text" },
]

describe.each(LOST)("a job whose record %s while its creation is in the air", (_, lose) => {
  test.each(NO_EFFECT)("costs no slot where the creation had no effect: $kind", async (outcome) => {
    const grant = await inTheAir()
    await lose(redis(), jobKeys.record(grant.job.id))
    await slots().settle(grant, "token", outcome)
    expect(await counted()).toBe(0)
    expect(await inFlight()).toBe(0)
    expect(await redis().zcard(wait)).toBe(0)
  })

  test("keeps its slot where the creation may have had one", async () => {
    const grant = await inTheAir()
    await lose(redis(), jobKeys.record(grant.job.id))
    const unknown = { kind: "unknown", detail: "timeout" } as const
    await slots().settle(grant, "token", unknown)
    expect(await counted()).toBe(1)
  })
})

test("the others wait as long as the service said, whatever became of the record", async () => {
  const grant = await inTheAir()
  await redis().del(jobKeys.record(grant.job.id))
  const busy = { kind: "put_back", reason: "rate_limited", pauseMs: 5000 } as const
  await slots().settle(grant, "token", busy)
  expect(await redis().hmget(pause, "reason", "tries")).toEqual(["rate_limited", "1"])
})

test("an answer that comes twice gives back one slot, not that of the next try", async () => {
  const grant = await inTheAir()
  const late = { kind: "put_back" } as const
  await slots().settle(grant, "token", late)
  await slots().reserve(PROJECT, "another token")
  await slots().settle(grant, "token", late)
  expect(await counted()).toBe(1)
  expect(await inFlight()).toBe(1)
})
