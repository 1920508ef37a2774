import { expect, test } from "vitest"
import { EPOCH, queueKeys } from "../../src/jobs/job-keys.ts"
import { botSays, docsUntil } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const testBed = useTestBed()

test("the wait of an empty Redis begins when the bot connects, not with the first request", async () => {
  const h = await testBed({ goesOn: "the job waits for the workers' reports", coldMs: 60_000 })
  const { workerRedis } = h.services
  await expect.poll(() => workerRedis.exists(EPOCH)).toBe(1)
  const opensAt = await workerRedis.get(EPOCH)

  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await botSays(h, /requested a docs change/)

  expect(await workerRedis.get(EPOCH)).toBe(opensAt)
})

test("LIM-15: nothing starts before the wait is over, and the job does then", async () => {
  const h = await testBed({ coldMs: 3_600_000 })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await botSays(h, /^Starting$/m)
  expect(h.docs.creations).toEqual([])
  const { workerRedis } = h.services
  const wait = (await workerRedis.get(EPOCH)) ?? ""
  await workerRedis.set(EPOCH, wait.replace(/^\d+/, "1"))
  await docsUntil(h, (docs) => docs.creations.length === 1)
  await botSays(h, /Pull request ready/)
})

test("LIM-15: a flushed Redis hears what was started in this hour, though nobody asks for anything", async () => {
  const h = await testBed({ coldMs: 60_000 })
  h.docs.planAll({ ending: "never", afterMs: 0 })
  const { workerRedis, front } = h.services
  const { log } = queueKeys(front.settings.projects.keys[0] ?? "")
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await botSays(h, /^Starting$/m)
  const wait = (await workerRedis.get(EPOCH)) ?? ""
  await workerRedis.set(EPOCH, wait.replace(/^\d+/, "1"))
  await botSays(h, /Working on it/)
  const [member] = await workerRedis.zrange(log, "0", "-1")

  await workerRedis.flushall()

  await expect.poll(() => workerRedis.zrange(log, "0", "-1"), { timeout: 10_000 }).toEqual([member])
  expect(Number(/^\d+/.exec((await workerRedis.get(EPOCH)) ?? ""))).toBeGreaterThan(Date.now())
})
