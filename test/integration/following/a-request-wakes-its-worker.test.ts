import { expect, test } from "vitest"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { keys, WAKE_CHANNEL } from "../../../src/redis/keys.ts"
import { createOutbox } from "../../../src/redis/outbox/store.ts"
import { useRedis } from "../../helpers/redis.ts"
import { PROJECT, queueing } from "../../helpers/waiting.ts"

const redis = useRedis()

/** @returns what sleeping workers heard meanwhile, all of it */
async function heardWhile(work: () => Promise<void>): Promise<string[]> {
  const heard: string[] = []
  const listener = redis().duplicate()
  listener.on("message", (_channel: string, text: string) => void heard.push(text))
  try {
    await listener.subscribe(WAKE_CHANNEL)
    await work()
    await redis().publish(WAKE_CHANNEL, "the end")
    await expect.poll(() => heard.at(-1), { timeout: 10_000 }).toBe("the end")
  } finally {
    listener.disconnect()
  }
  return heard.slice(0, -1)
}

const heardWhileAsking = (times: number) =>
  heardWhile(async () => {
    for (let n = 0; n < times; n++) await queueing(redis())("ada")
  })

test("a request wakes whoever posts its card where nothing was to be said before", async () => {
  const heard = await heardWhileAsking(1)
  expect(heard).toEqual([`${keys.outbox} 0`])
})

test("it wakes them where they would sleep on until something later", async () => {
  await redis().zadd(keys.outbox, Date.now() + 3_600_000, "later")
  expect(await heardWhileAsking(1)).toEqual([`${keys.outbox} 0`])
})

test("where something is due already nobody is woken again", async () => {
  await redis().zadd(keys.outbox, Date.now() - 1000, "due")
  expect(await heardWhileAsking(2)).toEqual([])
})

test("a posted card wakes whoever starts the jobs of its project", async () => {
  const [id = ""] = await queueing(redis())("ada")
  const job = await createJobStore(redis(), { maxQueuedPerUser: 1 }).get(id)
  if (!job) throw new Error("The request was not stored")
  const outbox = createOutbox(redis(), { leaseMs: 1000, onBroken: expect.unreachable })
  expect(await heardWhile(() => outbox.cardPosted(job, "1.1"))).toEqual([`dispatch:${PROJECT} 0`])
})
