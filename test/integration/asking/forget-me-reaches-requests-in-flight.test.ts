import { beforeEach, describe, expect, test } from "vitest"
import type { CreationOutcome } from "../../../src/jobs/queue-ports.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { keys } from "../../../src/redis/keys.ts"
import { createOutbox } from "../../../src/redis/outbox/store.ts"
import { createAuditStore } from "../../../src/redis/people/audit.ts"
import { createForget } from "../../../src/redis/people/forget.ts"
import { createSlotStore } from "../../../src/redis/queue/slots.ts"
import { useRedis } from "../../helpers/redis.ts"
import { PROJECT, queueing } from "../../helpers/waiting.ts"

/** A person is forgotten while a request of theirs is on its way to the service. */

const redis = useRedis()
const LIMITS = { jobsPerHour: 10, reservedSlots: 0, creationMs: 20_000, coldMs: 0 }

beforeEach(async () => {
  await redis().flushall()
})

const forgotten = () =>
  createForget(redis(), { queues: async () => [PROJECT, `${PROJECT}:messages`] }).forget("ada")
const jobs = () => createJobStore(redis(), { maxQueuedPerUser: 10 })
const used = () => redis().zcard(keys.project(PROJECT).log)

async function reserved() {
  const [id = ""] = await queueing(redis())("ada")
  const store = createSlotStore(redis(), LIMITS)
  const grant = await store.reserve(PROJECT, "token")
  if ("waitMs" in grant) throw new Error("nothing was granted")
  return { id, grant, settle: (o: CreationOutcome) => store.settle(grant, "token", o, 1000) }
}

const nothingWaits = async () => {
  expect(await redis().zcard(keys.project(PROJECT).wait)).toBe(0)
  expect(await redis().zcard(keys.project(PROJECT).creating)).toBe(0)
  expect(await createSlotStore(redis(), LIMITS).peek(PROJECT)).toBe(Number.POSITIVE_INFINITY)
}

test("the job that comes of it is followed, without its words", async () => {
  const { id, settle } = await reserved()
  expect(await forgotten()).toEqual({ cancelled: 0, running: 1 })
  expect(await jobs().prompt(id)).toBeUndefined()
  await settle({ kind: "created", agentJobId: "agent" })
  expect(await jobs().get(id)).toMatchObject({ state: "active", isForgotten: true })
})

test.each<[why: string, outcome: CreationOutcome]>([
  ["refuses for now", { kind: "put_back", reason: "rate_limited" }],
  ["takes no messages", { kind: "needs_job" }],
])("where the service %s it is cancelled, and costs nothing", async (_, outcome) => {
  const { id, settle } = await reserved()
  await forgotten()
  await settle(outcome)
  expect(await jobs().get(id)).toMatchObject({ state: "ended", ending: "cancelled" })
  expect(await redis().pttl(keys.job(id))).toBeGreaterThan(0)
  expect(await redis().zscore(keys.outbox, id)).not.toBeNull()
  expect(await used()).toBe(0)
  await nothingWaits()
})

test("between a grant whose answer was lost and its repetition it is cancelled, and costs nothing", async () => {
  const { id } = await reserved()
  await forgotten()
  // As the client sends a script again whose answer never came.
  const grant = await createSlotStore(redis(), LIMITS).reserve(PROJECT, "token")
  expect(grant).toHaveProperty("waitMs")
  expect(await jobs().get(id)).toMatchObject({ state: "ended", ending: "cancelled" })
  expect(await used()).toBe(0)
  await nothingWaits()
})

describe("what the audit is told of it afterwards names nobody", () => {
  test.each<[why: string, before: (id: string) => unknown, after: (id: string) => unknown]>([
    ["while the job is kept", () => {}, () => {}],
    ["when the job is kept no more", () => {}, (id) => redis().del(keys.job(id))],
    [
      "when no list named the job any more",
      (id) => redis().del(keys.user("ada"), keys.prompt(id)),
      () => {},
    ],
  ])("%s", async (_, before, after) => {
    const { id, settle } = await reserved()
    await settle({ kind: "created", agentJobId: "agent" })
    const outbox = createOutbox(redis(), { leaseMs: 60_000, onBroken: () => {}, auditDays: 90 })
    const [claimed] = await outbox.claim(1)
    if (!claimed) throw new Error("nothing was claimed")
    await before(id)
    await forgotten()
    await after(id)

    await outbox.settle(claimed, { sure: true })

    const found = []
    for await (const chunk of createAuditStore(redis(), { days: 90 }).entries())
      found.push(...chunk)
    expect(found).toEqual([])
  })
})
