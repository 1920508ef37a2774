import { expect, test } from "vitest"
import { keys } from "../../../src/redis/keys.ts"
import { botSays, docsUntil } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed()

test("the wait of an empty Redis begins when the bot connects, not with the first request", async () => {
  const h = await testBed({ coldMs: 60_000 })
  const { workerRedis } = h.services
  await expect.poll(() => workerRedis.exists(keys.epoch)).toBe(1)
  const opensAt = await workerRedis.get(keys.epoch)

  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await botSays(h, /asked the docs agent/)

  expect(await workerRedis.get(keys.epoch)).toBe(opensAt)
})

test("the card says that it waits, and the job starts when the wait is over", async () => {
  const h = await testBed({ coldMs: 3_600_000 })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await botSays(h, /Starting soon.*catching up on the last hour after a restart/)
  expect(h.docs.creations).toEqual([])
  const { workerRedis } = h.services
  const wait = (await workerRedis.get(keys.epoch)) ?? ""
  await workerRedis.set(keys.epoch, wait.replace(/^\d+/, "1"))
  await docsUntil(h, (docs) => docs.creations.length === 1)
  await botSays(h, /request ready/)
})
