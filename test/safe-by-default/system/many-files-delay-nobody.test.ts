import pidusage from "pidusage"
import { expect, test } from "vitest"
import { toJob } from "../../../src/jobs/job.ts"
import { jobKeys } from "../../../src/jobs/job-keys.ts"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { startProcessBed } from "../../helpers/process-bed.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const [FOLLOW_UPS, FILES, FILE_BYTES] = [50, 8, 100_000]
/** Maximum ms until another person's command is acknowledged. */
const ACK_MS = 300
/** Maximum memory in bytes of the worker meanwhile. */
const WORKER_BYTES = 200 * 1024 * 1024

test("SAFE-10: fifty follow-ups with eight files each delay nobody, and fill neither a worker, nor Redis, nor one message", async () => {
  const scopes = [...Object.keys(SCOPES), "files:read"]
  await using bed = await startProcessBed({ slack: { scopes } })
  const { slack, docs } = bed
  docs.planAll({ ending: "never", afterMs: 0 })
  await bed.start("web")
  const worker = await bed.start("worker")
  const root = await slack.as(ADA).mention(DOCS, "write the guide")
  await bed.docsUntil(({ creations }) => creations.length === 1)
  const files = Array.from({ length: FILES }, (_, n) => ({
    name: `notes-${n}.txt`,
    content: `${n} ${"words of the file ".repeat(FILE_BYTES)}`.slice(0, FILE_BYTES),
  }))
  const acks: number[] = []
  let most = 0
  for (let n = 1; n <= FOLLOW_UPS; n += 1) {
    await slack.as(BEN).mention(DOCS, `and point ${n}`, { thread: root.ts, files })
    const began = performance.now()
    expect(await slack.as(CLEO).slash(DOCS, "/docs-agent", "help")).toMatchObject({ ok: true })
    acks.push(performance.now() - began)
    most = Math.max(most, (await pidusage(worker.pid)).memory)
  }
  const redis = bed.server.client
  const [record = ""] = await redis.keys(jobKeys.record("*"))
  const waiting = async () => toJob("", await redis.hgetall(record))?.waiting ?? []
  const prepared = async () => (await waiting()).filter(({ isPrepared }) => isPrepared).length
  await expect.poll(prepared, { timeout: 60_000 }).toBe(FOLLOW_UPS)
  expect(JSON.stringify(await redis.hgetall(record)).length).toBeLessThan(50_000)
  expect((await dumpRedis(redis)).length).toBeLessThan(2_000_000)
  await slack.as(CLEO).slash(DOCS, "/docs-agent", "fix the links")
  await bed.docsUntil(({ creations }) => creations.length === 2)
  const id = docs.creations[0]?.jobId ?? ""
  docs.finish(id, "pull_request")
  await bed.docsUntil(() => (docs.job(id)?.messages.length ?? 0) > 0)
  most = Math.max(most, (await pidusage(worker.pid)).memory)
  const [message] = docs.job(id)?.messages ?? []
  expect(Buffer.byteLength(JSON.stringify(message?.prompt))).toBeLessThan(200_000)
  for (let n = 1; n <= FOLLOW_UPS; n += 1) expect(message?.prompt).toContain(`and point ${n}`)
  expect(message?.prompt).toContain("> 0 words of the file")
  expect(most).toBeLessThan(WORKER_BYTES)
  expect(Math.max(...acks)).toBeLessThan(ACK_MS)
}, 240_000)
