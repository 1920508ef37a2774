import { describe, expect, test } from "vitest"
import { jobKeys, queueKeys } from "../../src/jobs/job-keys.ts"
import { missingWorkerPass } from "../../src/operating/missing-worker.ts"
import { key } from "../../src/store/redis-keys.ts"
import { csvSchedule } from "../../src/visitors/csv-queue.ts"
import { askUntil } from "../helpers/asked.ts"
import { clickOnAnothers } from "../helpers/forged.ts"
import { findingsOf, readyz } from "../helpers/of-itself.ts"
import { restarted } from "../helpers/restarted.ts"
import { temporaryFolder } from "../helpers/temporary-folder.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { ADA, buttonsOf, CLEO, DOCS } from "../sandbox/slack/index.ts"

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

describe("a start on a Redis that is older than what DATA_DIR remembers", () => {
  async function restored(before?: (h: Bed) => Promise<unknown>) {
    const dataDir = await temporaryFolder()
    const h = await testBed({ dataDir, env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
    await askUntil(h, "use the whole hour", /Working on it/)
    await askUntil(h, "asked long ago", /next in line/)
    await h.bot.worker?.stop()
    const { workerRedis, front } = h.services
    const { id: _, ...marks } = await workerRedis.hgetall(key("memory"))
    for (const file of Object.keys(marks))
      await workerRedis.hset(key("memory"), file, Date.now() - 300_000)
    await workerRedis.del(queueKeys(front.settings.projects.keys[0] ?? "").log)
    await before?.(h)
    const again = await restarted(h, { dataDir, env: { ADMIN_USERS: CLEO } })
    const notice = await h.slack.until(() => h.direct(CLEO)[0])
    await h.botSays(/Paused.* resumes the queue/)
    expect(h.docs.creations).toHaveLength(1)
    expect(notice.text).toMatch(/restored from a backup/)
    expect(await findingsOf(again)).toContainEqual({
      check: "queue",
      level: "fault",
      says: expect.stringMatching(
        /^Docs requests are paused\. Redis holds older data than Docs Agent remembers/,
      ),
      next: expect.stringMatching(
        /node dist\/main\.js resume starts them, node dist\/main\.js drop cancels them/,
      ),
    })
    expect(buttonsOf(notice)).toEqual(["resume", "drop_waiting"])
    return { h, again, notice }
  }

  test("waits for an admin, also after a pause that is over, who resumes it: what waits starts", async () => {
    const { h, again, notice } = await restored(({ services: { front } }) =>
      front.health.change(front.settings.projects.keys[0] ?? "", (_, now) => ({
        reason: "outage",
        until: now,
      })),
    )
    await using _ = again
    await h.slack.as(CLEO).click(notice, "resume")
    await h.docsUntil(({ creations }) => creations.length === 2)
  })

  test("or drops what waits: it is cancelled, and what is asked next starts", async () => {
    const { h, again, notice } = await restored()
    await using _ = again
    const value = h.services.front.settings.projects.keys[0] ?? ""
    const elements = [{ type: "button", action_id: "drop_waiting", value }]
    const buttons = { blocks: [{ type: "actions", elements }] }
    await clickOnAnothers(h.slack, ADA, buttons, "drop_waiting")
    await h.toldPrivately(ADA, /Only an admin/)
    // Somebody deleted this one's record by hand.
    await h.services.workerRedis.zadd(queueKeys(value).wait, 9, "gone")
    await h.slack.as(CLEO).click(notice, "drop_waiting")
    await h.botSays(/Dropped 1 request\./, { channel: notice.channel })
    await clickOnAnothers(h.slack, CLEO, buttons, "drop_waiting")
    await h.toldPrivately(CLEO, /queue is already running/)
    await h.botSays(/Cancelled/)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "asked just now")
    await h.docsUntil(({ creations }) => creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toBe("asked just now")
  })
})
