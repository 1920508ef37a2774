import { expect, test } from "vitest"
import { jobKeys, queueKeys } from "../../src/jobs/job-keys.ts"
import { CreationSlots } from "../../src/limit/creation-bottleneck.ts"
import { useRedis } from "../helpers/redis.ts"
import { accepted, openQueue, PROJECT } from "../helpers/waiting.ts"

const redis = useRedis()
const { creating, log, pause } = queueKeys(PROJECT)

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

test("a job whose record is gone while its creation is in the air keeps its slot", async () => {
  const grant = await inTheAir()
  await redis().del(jobKeys.record(grant.job.id))
  await slots().settle(grant, "token", { kind: "unknown", detail: "timeout" })
  expect(await counted()).toBe(1)
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

test("LIM-15: a process that created its hour's jobs starts no more, though Redis lost the hour alone", async () => {
  const { slots: store, ask } = openQueue(redis(), { jobsPerHour: 3 })
  const process = new CreationSlots(store, { spacingMs: 0 })
  await ask("U1", 4)
  const next = () => process.next(PROJECT, accepted)
  expect([await next(), await next(), await next()]).toEqual(["ran", "ran", "ran"])
  // A replica that takes over may lack the last second.
  await redis().del(log)
  expect(await next()).toEqual({ waitMs: expect.any(Number) })
})
