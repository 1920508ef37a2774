import { expect, test } from "vitest"
import { Dispatching } from "../../src/jobs/dispatching.ts"

test("a queue that is woken does not have the rest of another one forgotten", async () => {
  const started: string[] = []
  const dispatching = new Dispatching({
    busy: async () => ["resting", "woken"],
    dispatch: async (queue) => {
      started.push(queue)
      return queue === "resting" ? 60_000 : 600_000
    },
    onFailed() {},
    onRest() {},
  })
  await dispatching.pass()
  await dispatching.settled()
  dispatching.hear("woken")

  const restMs = await dispatching.pass()

  await dispatching.settled()
  expect(started).toEqual(["resting", "woken", "woken"])
  expect(restMs).toBeLessThanOrEqual(60_000)
})
