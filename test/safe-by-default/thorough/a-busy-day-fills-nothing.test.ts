import { expect, test } from "vitest"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed()

test("SAFE-10: who asks and takes back, or is asked about a request, all day fills Redis no further", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
  const words = (n: number) => `write page ${n} ${"of the guide ".repeat(1000)}`
  for (let n = 0; n < 40; n += 1) {
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", words(n))
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "cancel")
  }
  const [newest, ...others] = await h.services.front.jobs.ofUser(ADA)
  const texts = () => h.services.workerRedis.keys("{da}:words:*")
  expect(await texts()).toHaveLength(30)
  const prompts = await h.services.front.jobs.promptsOf(newest?.job.rounds[0]?.asks ?? [])
  expect(Object.values(prompts)).toMatchObject([{ words: words(39).trim() }])
  expect(others).toHaveLength(39)
  for (let n = 0; n < 60; n += 1)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", `x${n}`.repeat(999))
  expect(await h.services.workerRedis.keys(`{da}:own:${ADA}:draft:*`)).toHaveLength(50)
})
