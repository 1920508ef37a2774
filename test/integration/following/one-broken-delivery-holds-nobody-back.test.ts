import { expect, test } from "vitest"
import { type DeliveryDeps, deliveryPass } from "../../../src/jobs/deliver.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { keys } from "../../../src/redis/keys.ts"
import { createOutbox } from "../../../src/redis/outbox/store.ts"
import { InFlight } from "../../../src/runtime/in-flight.ts"
import { cannotPost } from "../../../src/views/post-refusals.ts"
import { useRedis } from "../../helpers/redis.ts"
import { queueing } from "../../helpers/waiting.ts"

const HOUR_MS = 3_600_000
const redis = useRedis()

/**
 * Cards to be posted, in a Slack that breaks the bot itself with one of them: in a way that no other
 * error stands for.
 */
async function slackThatBreaks(user: string, until = Number.POSITIVE_INFINITY) {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 50, now })
  const add = queueing(redis(), now)
  const request = async (who: string) => {
    const [id = ""] = await add(who)
    await redis().hdel(keys.job(id), "card")
    return id
  }
  const ids = { broken: await request(user), fine: await request("ben") }
  const posted: string[] = []
  const told: string[] = []
  const failures: number[] = []
  const nobody = () => Promise.reject(new Error("not expected here"))
  const deps: DeliveryDeps = {
    outbox: createOutbox(redis(), { leaseMs: 30_000, onBroken() {}, now }),
    outbound: {
      async post(_, { text }) {
        if (text === user && failures.length < until) throw new TypeError("of something odd")
        posted.push(text)
        return { ts: "1.1", channel: "C1" }
      },
      async direct(_, { text }) {
        told.push(text)
        return { ts: "1.1", channel: "D1" }
      },
      find: async () => "absent",
      update: nobody,
      respond: nobody,
      postEphemeral: nobody,
    },
    jobs,
    views: {
      card: (job) => ({ text: job.user, blocks: [] }),
      closing: () => ({ text: "", blocks: [] }),
      cannotPost,
      reminder: () => ({ text: "", blocks: [] }),
      unreadFiles: () => ({ text: "", blocks: [] }),
    },
    readers: { readTalk: nobody, readFile: nobody },
    places: async () => new Map(),
    projects: [],
    gitHubHost: "github.com",
    postWithinMs: 15_000,
    forceStop: new AbortController().signal,
    inFlight: new InFlight(),
    onFailed: (_, __, n) => void failures.push(n),
  }
  const pass = () => deliveryPass(deps)
  return { clock, pass, jobs, ids, posted, told, failures, deps }
}

test("an error that nobody expected is one job's alone: the others are delivered, the pass goes on", async () => {
  const { pass, posted, failures } = await slackThatBreaks("ada")
  await pass()
  expect(posted).toEqual(["ben"])
  expect(failures).toEqual([1])
  await pass()
  expect(failures).toEqual([1])
})

test("it is tried again, ever later, and what worked at last is forgotten", async () => {
  const { clock, pass, posted, failures, jobs, ids } = await slackThatBreaks("ada", 3)
  for (let n = 0; n < 100; n += 1) {
    await pass()
    clock.now += 1000
  }
  expect(failures).toEqual([1, 2, 3])
  expect(posted).toEqual(["ben", "ada"])
  expect(await jobs.get(ids.broken)).toMatchObject({ card: "1.1", failures: 0, unsure: 0 })
})

test("some hours of it end the request, which spent nothing, and its person hears why", async () => {
  const { clock, pass, jobs, ids, told, failures } = await slackThatBreaks("ada")
  for (let n = 0; n < 4 * 240; n += 1) {
    await pass()
    clock.now += HOUR_MS / 240
  }
  expect(failures.length).toBeLessThan(20)
  expect(await jobs.get(ids.broken)).toMatchObject({ state: "ended", ending: "no_card" })
  expect(told).toEqual([expect.stringMatching(/went wrong on my side.*No job was used/)])
  expect(await redis().zcard(keys.outbox)).toBe(0)
})

test("a closing reply that is given up leaves the card to say how it ended", async () => {
  const { clock, jobs, ids, deps, failures } = await slackThatBreaks("nobody")
  const edited: string[] = []
  const breaks = () => {
    throw new TypeError("of something odd")
  }
  const pass = () =>
    deliveryPass({
      ...deps,
      outbound: { ...deps.outbound, update: async (_, { text }) => void edited.push(text) },
      views: {
        ...deps.views,
        card: (job) => ({ text: `${job.user} ${job.ending}`, blocks: [] }),
        closing: breaks,
      },
    })
  await pass()
  const ended = { state: "ended", ending: "failed", ended: clock.now, rev: 9 }
  await redis().hset(keys.job(ids.fine), ended)
  await redis().zadd(keys.outbox, clock.now, ids.fine)
  for (let n = 0; n < 4 * 240 && edited.length === 0; n += 1) {
    await pass()
    clock.now += HOUR_MS / 240
  }
  expect(failures).toHaveLength(15)
  expect(edited).toEqual(["ben failed"])
  expect(await jobs.get(ids.fine)).toMatchObject({ closing: "elsewhere", shown: { rev: 9 } })
})
