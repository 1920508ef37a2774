import { expect, test } from "vitest"
import { useRedis } from "../helpers/redis.ts"
import { openQueue } from "../helpers/waiting.ts"

const redis = useRedis()

test("as many follow-ups as may wait in a thread can come at once, and none is refused", async () => {
  const { jobs, ask } = openQueue(redis())
  const [id = ""] = await ask("U1")
  const people = Array.from({ length: 50 }, (_, n) => `U${n}`)
  await Promise.all(
    people.map((user) => jobs.change(id, ({ job }) => ({ set: { muted: [...job.muted, user] } }))),
  )
  expect((await jobs.find(id))?.job.muted.toSorted()).toEqual(people.toSorted())
})
