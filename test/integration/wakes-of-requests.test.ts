import { expect, test } from "vitest"
import { keys, WAKE_CHANNEL } from "../../src/redis/keys.ts"
import { useRedis } from "../helpers/redis.ts"
import { queueing } from "../helpers/waiting.ts"

const redis = useRedis()

/** Asks that many times. @returns what sleeping workers heard meanwhile, all of it */
async function heardWhileAsking(times: number): Promise<string[]> {
  const heard: string[] = []
  const listener = redis().duplicate()
  listener.on("message", (_channel: string, text: string) => void heard.push(text))
  try {
    await listener.subscribe(WAKE_CHANNEL)
    for (let n = 0; n < times; n++) await queueing(redis())("ada")
    await redis().publish(WAKE_CHANNEL, "the end")
    await expect.poll(() => heard.at(-1), { timeout: 10_000 }).toBe("the end")
  } finally {
    listener.disconnect()
  }
  return heard.slice(0, -1)
}

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
