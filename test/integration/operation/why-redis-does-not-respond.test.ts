import { EventEmitter } from "node:events"
import { expect, test } from "vitest"
import { checkRedis } from "../../../src/doctor/redis.ts"

/** Client that fails a command before it emits the cause, as on a busy machine. */
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
