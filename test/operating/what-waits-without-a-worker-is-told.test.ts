import { expect, test } from "vitest"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { missingWorkerPass } from "../../src/operating/missing-worker.ts"
import { key } from "../../src/store/redis-keys.ts"
import { csvSchedule } from "../../src/visitors/csv-queue.ts"
import { readyz } from "../helpers/of-itself.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { ADA, CLEO, DOCS } from "../sandbox/slack/index.ts"

const { testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })
const MINUTE_MS = 61_000
const ALIVE = key("alive")

/** Makes what is on this schedule, and the last sign of a worker, more than a minute old. */
async function aMinutePasses({ services: { workerRedis } }: Bed, schedule: string) {
  const longAgo = Date.now() - MINUTE_MS
  await workerRedis.set(ALIVE, longAgo)
  const [id = ""] = await workerRedis.zrange(schedule, "0", "-1")
  await workerRedis.zadd(schedule, longAgo, id)
}

test("OPS-15: who has waited a minute without a worker is told once that it is saved and who can help, and so are all who can", async () => {
  const h = await testBed({ goesOn: "no worker is running" })
  await h.bot.worker?.stop()
  // As before the first start, when nothing waits.
  await h.services.workerRedis.del(ALIVE)
  const look = missingWorkerPass(h.services.front)
  await look()
  expect((await readyz(h.bot)).notices).toEqual([])
  expect(h.direct(CLEO)).toEqual([])
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await look()
  expect(h.slack.ephemerals(ADA).some(({ text }) => /saved/.test(text))).toBe(false)

  await aMinutePasses(h, jobKeys.schedule("outbox"))
  await look()
  // A worker that has just been started may still say that it runs.
  expect(h.direct(CLEO)).toEqual([])
  await look()
  await look()

  const told = await h.toldPrivately(ADA, /request is saved/)
  expect(told.text).toContain(`<@${CLEO}>`)
  expect(h.slack.ephemerals(ADA).filter(({ text }) => /saved/.test(text))).toHaveLength(1)
  const none = expect.stringMatching(/No worker is running/)
  expect(h.direct(CLEO).map(({ text }) => text)).toEqual([none])
  expect((await readyz(h.bot)).notices).toEqual([none])
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
  await h.toldPrivately(CLEO, /1 problem[\s\S]*No worker is running.*\n.*Start a worker/)
})

test("a CSV that waits while no worker is alive is counted", async () => {
  const h = await testBed({ goesOn: "no worker is running" })
  await h.bot.worker?.stop()
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors")
  await h.slack.as(ADA).click(await h.toldPrivately(ADA, /^Docs visitors/), "visitors_csv")
  await aMinutePasses(h, csvSchedule)
  const look = missingWorkerPass(h.services.front)
  await look()
  await look()
  const waiting = expect.stringMatching(/1 request is waiting/)
  expect(h.direct(CLEO)).toMatchObject([{ text: waiting }])
  expect((await readyz(h.bot)).notices).toEqual([expect.stringMatching(/No worker is running/)])
})
