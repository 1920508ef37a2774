import type { Redis } from "ioredis"
import { expect, test } from "vitest"
import { queueKeys } from "../../../src/jobs/job-keys.ts"
import { checkQueues } from "../../../src/operating/doctor/run-doctor.ts"
import { answerPause } from "../../../src/operating/resume-and-drop.ts"
import { ask, cardOf, cardOfSays, waiting, waitOf } from "../../helpers/asked.ts"
import { clickOnAnothers } from "../../helpers/forged.ts"
import { mostIn } from "../../helpers/most-in.ts"
import { readyz } from "../../helpers/of-itself.ts"
import { snapshot } from "../../helpers/redis-dump.ts"
import { joined, pass } from "../../helpers/restarted.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { queueFacts } from "../../helpers/waiting.ts"
import { MovableClock } from "../../sandbox/kit/movable-clock.ts"
import { ADA, buttonsOf, CLEO, type Message } from "../../sandbox/slack/index.ts"

const MINUTE_MS = 60_000
const CEILING = 3
const ENV = { JOBS_PER_HOUR: String(CEILING), RESERVED_SLOTS: "0", START_DELAY_SECONDS: "60" }
const { testBed } = useTestBed({ env: ENV })

/** Runs a bot until a request has started and another waits for its moment. */
async function running(admins: string) {
  const clock = new MovableClock()
  const dataDir = await temporaryFolder()
  const h = await testBed({ clock, dataDir, env: { ADMIN_USERS: admins } })
  await ask(h, "sent before the backup")
  await waiting(h, 1)
  await pass(h, clock, 2)
  await h.docsUntil(({ creations }) => creations.length === 1)
  await ask(h, "sent after the backup 1")
  await waiting(h, 1)
  return { h, clock, again: { env: { ...h.env, ...ENV, ADMIN_USERS: admins }, clock, dataDir } }
}

const CANCELLED = "cancelled after the backup"

/** Stops a bot so many minutes after the backup, since which it sent two and cancelled one. */
async function backedUp(admins: string, minutes: number) {
  const bed = await running(admins)
  const { h, clock } = bed
  for (const text of ["sent after the backup 2", "waits for room", CANCELLED]) await ask(h, text)
  await waiting(h, 4)
  const restore = await snapshot(h.services.workerRedis as Redis)
  const card = await h.slack.until(() => cardOf(h, CANCELLED))
  await h.slack.as(ADA).click(card, "cancel")
  await cardOfSays(h, CANCELLED, /Cancelled/)
  await pass(h, clock, 2)
  await h.docsUntil(({ creations }) => creations.length === CEILING)
  await cardOfSays(h, "waits for room", /next in line/)
  await pass(h, clock, minutes)
  await h.bot.stop()
  return { ...bed, restore }
}

type Joined = Awaited<ReturnType<typeof joined>>

/** Returns what an admin says to the notice, and what others hear who say it: nothing else happens. */
async function answers(h: Bed, answer: "resume" | "drop_waiting", notice: Message) {
  expect(notice.text).toMatch(/restored from a backup/)
  expect(buttonsOf(notice)).toEqual(["resume", "drop_waiting"])
  const { blocks } = structuredClone(notice)
  await clickOnAnothers(h.slack, ADA, { blocks }, answer)
  await h.toldPrivately(ADA, /Only an admin/)
  await h.slack.as(CLEO).click(notice, answer)
  const says = answer === "resume" ? /resume/ : /Dropped 1 request\./
  await h.botSays(says, { channel: notice.channel })
  await clickOnAnothers(h.slack, CLEO, { blocks }, answer)
  await h.toldPrivately(CLEO, /queue is already running/)
}

/** Drops what waits from a shell. */
async function dropped({ services }: Joined) {
  const dropped = /dropped 1 request\.\n.*resumes/
  expect(await answerPause("drop", services.front)).toMatch(dropped)
}

/** Asks for more than the hour has room for, until it is full and a worker has looked again. */
async function fillTheHour(h: Bed, again: Joined, clock: MovableClock, room: number) {
  const { creations } = h.docs
  const all = creations.length + room
  for (let n = 0; n <= CEILING; n += 1) await ask(h, `asked after the restore ${n}`)
  await waiting(h, CEILING + 1)
  await pass(again, clock, 2)
  await h.docsUntil(() => creations.length === all)
  await pass(again, clock, 1)
  expect(creations).toHaveLength(all)
  const prompts = creations.map(({ prompt }) => prompt.split("\n")[0])
  expect(new Set(prompts).size).toBe(all)
  const starts = creations.map(({ at }) => at)
  expect(mostIn(60 * MINUTE_MS, starts)).toBe(CEILING)
}

test.each([
  [5, "", "drop"],
  [50, "U0NOBODY", "drop"],
  [5, CLEO, "drop_waiting"],
  [70, CLEO, "resume"],
] as const)(
  "LIM-16, LIM-17, OPS-6: a backup of %i minutes, with %j as admins, who %s",
  async (minutes, admins, answer) => {
    const { h, clock, ...bed } = await backedUp(admins, minutes)
    await bed.restore()
    const { health, settings } = h.services.front
    const [project = ""] = settings.projects.keys
    // Another pause, which is over, is no reason to go on.
    await health.change(project, (_, now) => ({ reason: "outage", until: now }))
    await using again = await joined(h, bed.again)
    await pass(again, clock, 2)
    for (const n of [1, 2]) await cardOfSays(h, `sent after the backup ${n}`, /Couldn't confirm/)
    await cardOfSays(h, "waits for room", /Paused.* resumes the queue/)
    const { config, requestRedis } = again.services
    expect(await checkQueues(config, requestRedis)).toContainEqual({
      check: "queue",
      level: "fault",
      says: expect.stringMatching(/^Docs requests are paused\. Redis holds older data than/),
      next: expect.stringMatching(/main\.js resume starts them, node dist\/main\.js drop cancels/),
    })
    // A busy bot answers without its notices, rather than late.
    const notices = async () => (await readyz(again)).notices.join()
    await expect.poll(notices).toMatch(/node dist\/main\.js resume/)
    await expect.poll(() => again.services.workerRedis.zcard(waitOf(h))).toBe(1)
    // Somebody deleted this one's record by hand.
    await again.services.workerRedis.zadd(queueKeys(project).wait, 9, "gone")
    if (answer === "drop") await dropped(again)
    else await answers(h, answer, await h.slack.until(() => h.direct(CLEO)[0]))
    if (answer !== "resume") await cardOfSays(h, "waits for room", /Cancelled/)
    // DATA_DIR knows of all jobs in this hour.
    await fillTheHour(h, again, clock, minutes > 60 ? CEILING : 0)
    // Slack remembers what neither Redis nor the file does.
    await cardOfSays(h, CANCELLED, /Cancelled before it started/)
  },
)

test("LIM-1, LIM-17: a backup without DATA_DIR sends nothing twice, and waits out the hour that it can't know", async () => {
  const { h, clock, again, restore } = await backedUp(CLEO, 5)
  await restore()
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const env = { ...again.env, LOG_LEVEL: "warn" }
  await using next = await joined(h, { env, clock, log })
  const restartedAt = clock.now()
  for (const n of [1, 2]) await cardOfSays(h, `sent after the backup ${n}`, /Couldn't confirm/)
  await cardOfSays(h, "waits for room", /starts around/)
  const notice = await h.slack.until(() => h.direct(CLEO)[0])
  expect(notice.text).toMatch(/may be an older copy.*resumes on its own/s)
  expect((await readyz(next)).notices).toEqual([expect.stringMatching(/may be an older copy/)])
  expect(lines.filter((line) => line.includes("may be an older copy"))).toHaveLength(1)

  await ask(h, "asked after the restore")
  await waiting(h, 2)
  await pass(next, clock, 57)
  expect((await queueFacts(next.services)).slots).toHaveLength(CEILING)
  expect(h.docs.creations).toHaveLength(CEILING)
  await pass(next, clock, 4)
  await h.docsUntil(({ creations }) => creations.length === CEILING + 2)
  const late = h.docs.creations.slice(CEILING)
  expect(late.map(({ prompt }) => prompt)).toEqual(["waits for room", "asked after the restore"])
  expect((late[0]?.at ?? 0) - restartedAt).toBeGreaterThan(60 * MINUTE_MS)
  // Slack remembers what neither Redis nor the file does.
  await cardOfSays(h, CANCELLED, /Cancelled before it started/)
  expect((await readyz(next)).notices).toEqual([])
  expect(h.direct(CLEO)).toHaveLength(1)
})

test.each(["", "U0NOBODY", CLEO])(
  "LIM-16: a bot that was off for a night resumes alone, with %j as admins",
  async (admins) => {
    const { h, clock, again } = await running(admins)
    await h.bot.stop()
    clock.moveOn(8 * 60 * MINUTE_MS)
    await using next = await joined(h, again)
    await pass(next, clock, 0)
    await h.docsUntil(({ creations }) => creations.length === 2)
    expect(h.direct(CLEO)).toEqual([])
    expect((await readyz(next)).notices).toEqual([])
  },
)

test("LIM-16: a second backup is told too, though it has the pause and the notice of the first", async () => {
  const { h, clock, again, ...backup } = await backedUp(CLEO, 5)
  let { restore } = backup
  const isUnclear = ({ threadTs, text }: Message) => threadTs && text.includes("Couldn't confirm")
  for (const notices of [1, 2]) {
    await restore()
    await using next = await joined(h, again)
    await h.slack.until(() => h.direct(CLEO).length === notices)
    // Two were sent; by the second backup, the one that waits has been dropped, as its card says.
    await h.slack.until(() => h.botMessages().filter(isUnclear).length === 2)
    await expect.poll(() => next.services.workerRedis.zcard(waitOf(h))).toBe(2 - notices)
    restore = await snapshot(h.services.workerRedis as Redis)
    await answerPause("drop", next.services.front)
    await pass(next, clock, 5)
  }
})
