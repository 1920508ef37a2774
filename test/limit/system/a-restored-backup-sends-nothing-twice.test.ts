import type { Redis } from "ioredis"
import { expect, test } from "vitest"
import { answerPause } from "../../../src/operating/resume-and-drop.ts"
import { ask, cardOf, cardOfSays, waiting, waitOf } from "../../helpers/asked.ts"
import { mostIn } from "../../helpers/most-in.ts"
import { readyz } from "../../helpers/of-itself.ts"
import { snapshot } from "../../helpers/redis-dump.ts"
import { joined } from "../../helpers/restarted.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { openMemory } from "../../helpers/waiting.ts"
import { MovableClock } from "../../sandbox/kit/movable-clock.ts"
import { ADA, CLEO } from "../../sandbox/slack/index.ts"

const MINUTE_MS = 60_000
const ADMINS = { none: "", wrong: "U0NOBODY", right: CLEO }
type Admins = keyof typeof ADMINS
const ADMINS_SET = ["none", "wrong", "right"] as const

const CEILING = 6
const ENV = { JOBS_PER_HOUR: String(CEILING), RESERVED_SLOTS: "0", START_DELAY_SECONDS: "60" }
const { testBed } = useTestBed({ env: ENV })

/** Runs a bot until three requests have started and `waits` others still wait for their moment. */
async function running(admins: Admins) {
  const clock = new MovableClock()
  const dataDir = await temporaryFolder()
  const env = { ADMIN_USERS: ADMINS[admins] }
  const h = await testBed({ clock, dataDir, env })
  for (const n of [1, 2, 3]) await ask(h, `fix page ${n} of the guide`)
  await waiting(h, 3)
  clock.moveOn(MINUTE_MS + 1000)
  await h.docsUntil(({ creations }) => creations.length === 3)
  for (const n of [1, 2]) await ask(h, `sent after the backup ${n}`)
  await waiting(h, 2)
  await expect.poll(() => h.services.workerRedis.hlen("{da}:memory")).toBe(2)
  return { h, clock, dataDir, env: { ...h.env, ...ENV, ...env } }
}

type Running = Awaited<ReturnType<typeof running>>

const prompts = (h: Bed) => h.docs.creations.map(({ prompt }) => prompt.split("\n")[0] ?? "")
const doubled = (h: Bed) => prompts(h).filter((prompt, n, all) => all.indexOf(prompt) !== n)

/** Asks for more than the hour has room for, until it is full and a worker has looked again. */
async function fillTheHour({ h, clock, dataDir }: Running, room: number) {
  const { creations } = h.docs
  const before = creations.length
  const others = await h.services.workerRedis.zcard(waitOf(h))
  for (let n = 0; n <= CEILING; n += 1) await ask(h, `asked after the restore ${n}`)
  await waiting(h, others + CEILING + 1)
  clock.moveOn(MINUTE_MS + 1000)
  await h.docsUntil(() => creations.length === before + room)
  clock.moveOn(MINUTE_MS)
  await lookedSince(dataDir, clock.now())
  expect(creations).toHaveLength(before + room)
}

/**
 * Waits until a worker has looked at Redis after this time and has written so outside of it. One whose
 * rounds end after this time may have looked before.
 */
async function lookedSince(dataDir: string, ms: number) {
  const last = async () => (await openMemory(dataDir).head()).marks[0]?.at
  await expect.poll(last).toBeGreaterThanOrEqual(ms)
}

const all = [5, 50, 70].flatMap((minutes) => ADMINS_SET.map((admins) => ({ minutes, admins })))

const CANCELLED = "cancelled after the backup"
const cancel = async (h: Bed, text: string) => {
  const card = cardOf(h, text)
  if (!card) throw new Error(`no card of "${text}"`)
  await h.slack.as(ADA).click(card, "cancel")
}

/** Stops a bot so many minutes after the backup, since which it sent three and cancelled one. */
async function backedUp(admins: Admins, minutes: number) {
  const bed = await running(admins)
  const { h, clock, dataDir } = bed
  for (const text of ["sent after the backup 3", "waits for room", CANCELLED]) await ask(h, text)
  await waiting(h, 5)
  const restore = await snapshot(h.services.workerRedis as Redis)
  await cancel(h, CANCELLED)
  await cardOfSays(h, CANCELLED, /Cancelled/)
  clock.moveOn(MINUTE_MS + 1000)
  await h.docsUntil(({ creations }) => creations.length === CEILING)
  await cardOfSays(h, "waits for room", /next in line/)
  clock.moveOn(minutes * MINUTE_MS)
  await lookedSince(dataDir, clock.now())
  await h.bot.stop()
  return { ...bed, restore }
}

test.each(all)(
  "LIM-16, LIM-17, OPS-6: a backup of $minutes minutes, admins $admins",
  async (given) => {
    const { restore, ...bed } = await backedUp(given.admins, given.minutes)
    const { h, clock, dataDir, env } = bed
    await restore()
    await using again = await joined(h, { env, clock, dataDir })
    clock.moveOn(MINUTE_MS + 1000)
    const gone = [1, 2, 3].map((n) => `sent after the backup ${n}`)
    for (const text of gone) await cardOfSays(h, text, /Couldn't confirm/)
    // Slack's API refuses the direct message to nobody; the log and /readyz say what to do.
    if (given.admins === "right") await h.slack.until(() => h.direct(CLEO).length === 1)
    // A busy bot answers without its notices, rather than late.
    const notices = async () => (await readyz(again)).notices.join()
    await expect.poll(notices).toMatch(/node dist\/main\.js resume/)
    await expect.poll(() => again.services.workerRedis.zcard(waitOf(h))).toBe(1)
    expect(await answerPause("drop", again.services.front)).toMatch(
      /dropped 1 request\.\n.*resumes/,
    )
    await cardOfSays(h, "waits for room", /Cancelled/)
    // DATA_DIR knows of all jobs in this hour.
    await fillTheHour(bed, given.minutes > 60 ? CEILING : 0)
    // Slack remembers what neither Redis nor the file does.
    await cardOfSays(h, CANCELLED, /Cancelled before it started/)
    expect(doubled(h)).toEqual([])
    const starts = h.docs.creations.map(({ at }) => at)
    expect(mostIn(60 * MINUTE_MS, starts)).toBe(CEILING)
  },
)

test.each(ADMINS_SET)(
  "LIM-16: a bot that was off for a night resumes alone, admins %s",
  async (admins) => {
    const { h, clock, dataDir, env } = await running(admins)
    await h.bot.stop()
    clock.moveOn(8 * 60 * MINUTE_MS)
    await using again = await joined(h, { env, clock, dataDir })
    await h.docsUntil(({ creations }) => creations.length === 5)
    expect(h.direct(CLEO)).toEqual([])
    expect((await readyz(again)).notices).toEqual([])
    expect(doubled(h)).toEqual([])
  },
)

test("LIM-16: a second backup is told too, though it has the pause and the notice of the first", async () => {
  const { h, clock, dataDir, env, ...backup } = await backedUp("right", 5)
  let { restore } = backup
  const isUnclear = ({ threadTs, text }: { threadTs?: string | undefined; text: string }) =>
    threadTs !== undefined && text.includes("Couldn't confirm")
  for (const notices of [1, 2]) {
    await restore()
    await using again = await joined(h, { env, clock, dataDir })
    await h.slack.until(() => h.direct(CLEO).length === notices)
    // Three were sent; by the second backup, the one that waits has been dropped, as its card says.
    await h.slack.until(() => h.botMessages().filter(isUnclear).length === 3)
    await expect.poll(() => again.services.workerRedis.zcard(waitOf(h))).toBe(2 - notices)
    restore = await snapshot(h.services.workerRedis as Redis)
    await answerPause("drop", again.services.front)
    clock.moveOn(5 * MINUTE_MS)
    await lookedSince(dataDir, clock.now())
  }
})
