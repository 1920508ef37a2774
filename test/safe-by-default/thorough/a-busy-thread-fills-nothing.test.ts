import { expect } from "vitest"
import { jobKeys } from "../../../src/jobs/job-keys.ts"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { scopes: [...Object.keys(SCOPES), "files:read"] } })

const [FOLLOW_UPS, FILES, FILE_BYTES, MOST_SENT] = [50, 8, 100_000, 200_000]

test("SAFE-10: fifty follow-ups with eight files each neither fill Redis nor one message, and delay nobody", async (h) => {
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await h.docsUntil(({ creations }) => creations.length === 1)
  const files = Array.from({ length: FILES }, (_, n) => ({
    name: `notes-${n}.txt`,
    content: `${n} ${"words of the file ".repeat(FILE_BYTES)}`.slice(0, FILE_BYTES - 8),
  }))
  for (let n = 1; n <= FOLLOW_UPS; n += 1)
    await h.slack.as(BEN).mention(DOCS, `and point ${n}`, { thread: root.ts, files })
  const { jobs } = h.services.front
  const job = async () => (await jobs.inThread(DOCS, root.ts))[0]?.job
  await expect
    .poll(async () => (await job())?.waiting.filter(({ isPrepared }) => isPrepared).length, {
      timeout: 60_000,
    })
    .toBe(FOLLOW_UPS)
  const id = (await job())?.id ?? ""
  const record = JSON.stringify(await h.services.workerRedis.hgetall(jobKeys.record(id)))
  expect(record.length).toBeLessThan(50_000)
  expect((await dumpRedis(h.services.workerRedis)).length).toBeLessThan(2_000_000)

  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "fix the links")
  await h.docsUntil(({ creations }) => creations.length === 2)
  h.finish("pull_request")
  await h.docsUntil((docs) => docs.job(docs.creations[0]?.jobId ?? "")?.messages.length === 1)
  const [message] = h.docs.job(h.docs.creations[0]?.jobId ?? "")?.messages ?? []
  expect(Buffer.byteLength(JSON.stringify(message?.prompt))).toBeLessThan(MOST_SENT)
  for (let n = 1; n <= FOLLOW_UPS; n += 1) expect(message?.prompt).toContain(`and point ${n}`)
  expect(message?.prompt).toContain("> 0 words of the file")
}, 120_000)

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
