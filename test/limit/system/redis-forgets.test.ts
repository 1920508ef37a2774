import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { jobKeys, queueKeys } from "../../../src/jobs/job-keys.ts"
import type { CreationOutcome } from "../../../src/jobs/send-round.ts"
import { CreationSlots } from "../../../src/limit/start-creations.ts"
import { gate } from "../../helpers/gate.ts"
import { snapshot } from "../../helpers/redis-dump.ts"
import { type RedisServer, startRedisServer } from "../../helpers/redis-server.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { openMemory, openQueue, PROJECT } from "../../helpers/waiting.ts"

/**
 * Redis server with an append-only file that is flushed every second: after a crash, it or the
 * replica that takes over may lack the last second. Processes that survive must make up for that.
 */
let server: RedisServer
const COLD_MS = 700

beforeAll(async () => {
  server = await startRedisServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => server.client.flushall())

const ask = (user: string, n = 1) => openQueue(server.client).ask(user, n)

/** Opens the slots of a worker. @param dataDir absent: of a machine of its own */
async function aProcess(coldMs = 0, dataDir?: string): Promise<CreationSlots> {
  const memory = openMemory(dataDir ?? (await temporaryFolder()))
  return new CreationSlots(openQueue(server.client, { coldMs }).slots, {
    memory,
    sendWithinMs: 5000,
    spacingMs: 0,
  })
}

function service() {
  const posted: string[] = []
  return {
    posted,
    create: async ({ job }: { job: { id: string } }): Promise<CreationOutcome> => {
      posted.push(job.id)
      return { kind: "created", agentJobId: `agent of ${job.id}` }
    },
  }
}

const job = (id: string | undefined) => server.client.hgetall(jobKeys.record(id ?? ""))

const FOLLOWED = { state: "active", agentJobId: "agent of it" }
const CREATED: CreationOutcome = { kind: "created", agentJobId: "agent of it" }
const UNKNOWN: CreationOutcome = { kind: "unknown", detail: "a timeout" }

test.each([
  ["is followed, if it was answered", "queued", CREATED, FOLLOWED],
  ["is followed, if Redis forgot the answer alone", "creating", CREATED, FOLLOWED],
  ["is told as unknown, if that came of it", "queued", UNKNOWN, { state: "ended" }],
] as const)(
  "a creation that Redis forgot %s, not started again",
  async (_, known, outcome, after) => {
    const first = await aProcess()
    const [id] = await ask("U1")
    let forget = await snapshot(server.client)
    await first.next(PROJECT, async () => {
      if (known === "creating") forget = await snapshot(server.client)
      return outcome
    })
    await forget()
    expect((await job(id)).state).toBe(known)

    await first.reseed()

    const { posted, create } = service()
    expect(await (await aProcess()).next(PROJECT, create)).toEqual({
      waitMs: Number.POSITIVE_INFINITY,
    })
    expect(posted).toEqual([])
    const found = await job(id)
    expect(found).toMatchObject(after)
    expect(found.rounds?.includes('"ending":"unknown"')).toBe(outcome === UNKNOWN)
    expect(await server.client.zcard(queueKeys(PROJECT).log)).toBe(1)
  },
)

test("a creation that Redis forgot is followed, though another worker of its machine reports first", async () => {
  const { create } = service()
  const machine = await temporaryFolder()
  const [first, other] = [await aProcess(0, machine), await aProcess(0, machine)]
  const [id] = await ask("U1")
  const forget = await snapshot(server.client)
  await first.next(PROJECT, create)
  await forget()

  await other.reseed()
  await other.sweep(PROJECT)
  await first.reseed()

  expect(await job(id)).toMatchObject({ state: "active", agentJobId: `agent of ${id}` })
})

test("a creation that Redis forgot while it was in flight is not started again, but followed", async () => {
  const { posted, create } = service()
  const first = await aProcess()
  const [id] = await ask("U1")
  const forget = await snapshot(server.client)
  const sent = gate()
  const answer = gate()
  const running = first.next(PROJECT, async (grant) => {
    sent.open()
    await answer.opened
    return create(grant)
  })
  await sent.opened
  await forget()

  await first.reseed()
  const other = await (await aProcess()).next(PROJECT, create)
  answer.open()
  await running

  expect(other).toEqual({ waitMs: Number.POSITIVE_INFINITY })
  expect(posted).toEqual([id])
  expect((await job(id)).state).toBe("active")
})

test("a request that was put back and waits is left alone", async () => {
  const { posted, create } = service()
  const first = await aProcess()
  const [id] = await ask("U1")
  await first.next(PROJECT, async () => ({ kind: "put_back" }))

  await first.reseed()

  expect(await (await aProcess()).next(PROJECT, create)).toBe("ran")
  expect(posted).toEqual([id])
})

test("a Redis that was started again grants nothing before the living had time to report", async () => {
  const { create } = service()
  const process = await aProcess(COLD_MS)
  await ask("U1", 2)
  const first = await process.next(PROJECT, create)
  if (first === "ran") throw new Error("an empty Redis must wait as well")
  await expect.poll(() => process.next(PROJECT, create)).toBe("ran")

  await server.kill()
  await server.restart()
  const after = await process.next(PROJECT, create)

  if (after === "ran") throw new Error("it did not wait")
  expect(after.waitMs).toBeGreaterThan(COLD_MS / 2)
  expect(after.waitMs).toBeLessThanOrEqual(COLD_MS)
  await expect.poll(() => process.next(PROJECT, create)).toBe("ran")
})
