import { expect } from "vitest"
import { jobKeys, monthKeys } from "../../src/jobs/job-keys.ts"
import { reachedShare, readMonth } from "../../src/limit/month-budget.ts"
import { checkQueues } from "../../src/operating/doctor/run-doctor.ts"
import { ask } from "../helpers/asked.ts"
import { readyz } from "../helpers/of-itself.ts"
import { useRedis } from "../helpers/redis.ts"
import { temporaryFolder } from "../helpers/temporary-folder.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import { openQueue, PROJECT } from "../helpers/waiting.ts"
import { MovableClock } from "../sandbox/kit/movable-clock.ts"
import { ADA, CLEO, DOCS } from "../sandbox/slack/index.ts"

const redis = useRedis()
const { test, testBed } = useTestBed({
  plan: READY,
  env: { JOBS_PER_MONTH: "2", ADMIN_USERS: CLEO },
})

/** Asks for one change more than two. */
async function askForThree(h: Bed) {
  for (const nth of ["first", "second", "third"]) await ask(h, `${nth} change of it`)
}
const notices = (h: Bed) =>
  h.direct(CLEO).filter(({ text }) => /This month's requests are used up/.test(text))

test("LIM-18: a month that is used up holds requests back until an admin allows more, each time once", async (h) => {
  await askForThree(h)
  await h.botSays(/Waiting: this month's requests are used up \*?\(2 of 2\)/)
  expect(h.docs.creations).toHaveLength(2)
  await ask(h, "quota")
  await h.toldPrivately(ADA, /2 of 2 this month, sent by Docs Agent/)

  const notice = await h.slack.until(() => notices(h)[0])
  expect(notice.text).toMatch(/2 of 2 this month/)
  await h.slack.as(CLEO).click(notice, "allow_more")
  await h.docsUntil(({ creations }) => creations.length === 3)
  await ask(h, "quota")
  await h.toldPrivately(ADA, /3 of 12 this month, sent by Docs Agent/)
  // The click answered the one notice.
  expect(notices(h)).toEqual([])
})

test("LIM-18: admins hear once when three quarters of the month are sent, of which nothing is that the service refused", async () => {
  const h = await testBed({ env: { JOBS_PER_MONTH: "4" } })
  h.docs.fail({ type: "status", status: 400, kind: "create", times: 1 })
  await askForThree(h)
  await h.docsUntil(({ creations }) => creations.length === 2)
  await ask(h, "fourth change of it")
  const says = /75% of this month's requests are used.*3 of 4 this month/
  await h.slack.until(() => h.direct(CLEO).some(({ text }) => says.test(text)))
  expect(h.docs.creations).toHaveLength(3)
  await ask(h, "quota")
  await h.toldPrivately(ADA, /3 of 4 this month, sent by Docs Agent/)
})

test("LIM-18: what waits is sent when the month turns, to which an old notice's button adds nothing", async () => {
  const clock = new MovableClock()
  const goesOn = "admins hear that the next month is used up"
  const h = await testBed({ clock, dataDir: await temporaryFolder(), goesOn })
  await askForThree(h)
  await h.botSays(/Waiting: this month's requests are used up/)
  const notice = await h.slack.until(() => notices(h)[0])
  const { endsAt } = (await readMonth(h.services.work.store, "", 2)) ?? { endsAt: 0 }
  await h.restartBot(async () => clock.moveOn(endsAt - clock.now()))
  await h.docsUntil(({ creations }) => creations.length === 3)

  await h.slack.as(CLEO).click(notice, "allow_more")
  await h.slack.until(() => h.direct(CLEO).some(({ text }) => /month is over/.test(text)))
  await ask(h, "quota")
  await h.toldPrivately(ADA, /1 of 2 this month, sent by Docs Agent/)
})

test("LIM-18: without an admin, the log, /readyz and the doctor say that the month is used up, and what to do", async () => {
  const h = await testBed({ env: { ADMIN_USERS: "", LOG_LEVEL: "warn" } })
  await askForThree(h)
  await h.botSays(/Waiting: this month's requests are used up/)
  await expect.poll(() => h.lines.join()).toMatch(/2 of 2 this month.*raise JOBS_PER_MONTH and /)
  const { config, requestRedis } = h.services
  const found = await checkQueues(config, requestRedis)
  for (const said of [(await readyz(h.bot)).text, JSON.stringify(found)]) {
    expect(said).toMatch(/Docs Agent sent 2 of 2 this month.*1 request waits until 20/)
    expect(said).toMatch(/raise JOBS_PER_MONTH and /)
  }
})

test("LIM-18: a follow-up counts, and so does an outcome that nobody knows, over a restart", async (h) => {
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await h.botSays(/is ready/)
  await h.slack.as(ADA).mention(DOCS, "and shorten it", { thread: root.ts })
  await h.botSays(/Updated/)
  await h.restartBot()
  await ask(h, "another change, please")
  await h.botSays(/Waiting: this month's requests are used up/)
  expect(h.docs.creations).toHaveLength(1)
})

test.each([
  [67, 90, false, undefined],
  [68, 90, false, 0.75],
  [86, 90, false, 0.95],
  [90, 90, false, 1],
  [96, 100, true, undefined],
  [100, 100, true, 1],
])(
  "LIM-18: with %i of %i sent, extended: %s, admins hear of %s",
  (used, most, isExtended, share) => {
    expect(reachedShare({ used, most, isExtended, endsAt: 0 })).toBe(share)
  },
)

test("LIM-18: a request whose record cannot be read takes no room of the month", async () => {
  const { ask: queued, slots, broken } = openQueue(redis(), { jobsPerMonth: 2 })
  const [id = ""] = await queued("U1")
  await redis().hset(jobKeys.record(id), "v", "9")
  expect(await slots.grant(PROJECT, "token")).toHaveProperty("waitMs")
  expect(broken).toEqual([jobKeys.record(id)])
  const { sent } = monthKeys(PROJECT, new Date().toISOString().slice(0, 7))
  expect(await redis().zcard(sent)).toBe(0)
})
