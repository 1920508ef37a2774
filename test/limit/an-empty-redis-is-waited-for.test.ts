import { expect, test } from "vitest"
import { EPOCH, queueKeys } from "../../src/jobs/job-keys.ts"
import { botSays } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { testBed } = useTestBed()

test("LIM-15: the wait of an empty Redis begins with the bot, nothing starts in it, and a flushed one hears what was started in this hour", async () => {
  const h = await testBed({ coldMs: 60_000 })
  const { workerRedis, front } = h.services
  const { log } = queueKeys(front.settings.projects.keys[0] ?? "")
  await expect.poll(() => workerRedis.exists(EPOCH)).toBe(1)
  const wait = (await workerRedis.get(EPOCH)) ?? ""
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await botSays(h, /^Starting$/m)
  expect(h.docs.creations).toEqual([])
  expect(await workerRedis.get(EPOCH)).toBe(wait)
  await workerRedis.set(EPOCH, wait.replace(/^\d+/, "1"))
  await botSays(h, /Working on it/)
  const [member] = await workerRedis.zrange(log, "0", "-1")

  await workerRedis.flushall()

  await expect.poll(() => workerRedis.zrange(log, "0", "-1"), { timeout: 10_000 }).toEqual([member])
  expect(Number(/^\d+/.exec((await workerRedis.get(EPOCH)) ?? ""))).toBeGreaterThan(Date.now())
})
