import { EventEmitter } from "node:events"
import { expect, test } from "vitest"
import { checkRedis } from "../../../src/doctor/redis.ts"

/** A client that gives up a command before it tells its listeners why, as on a busy machine. */
class SlowToSay extends EventEmitter {
  async exists(): Promise<never> {
    setTimeout(() => this.emit("error", new Error("NOAUTH Authentication required.")), 50)
    throw new Error("Reached the max retries per request limit (which is 1).")
  }
}

test("the reason is waited for, and named with the way out", async () => {
  const found = await checkRedis(new SlowToSay() as never, false)
  expect(found).toMatchObject([
    { says: expect.stringMatching(/rejected/), next: expect.stringMatching(/^Correct the user/) },
  ])
})
