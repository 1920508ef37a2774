import type { Redis } from "ioredis"
import { expect, onTestFinished, test } from "vitest"
import { EPOCH, queueKeys } from "../../src/jobs/job-keys.ts"
import { answerPause } from "../../src/operating/resume-and-drop.ts"
import { ask, askUntil, cardOfSays, waiting } from "../helpers/asked.ts"
import { metricsOf, readyz } from "../helpers/of-itself.ts"
import { snapshot } from "../helpers/redis-dump.ts"
import { joined, pass } from "../helpers/restarted.ts"
import { temporaryFolder } from "../helpers/temporary-folder.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { queueFacts } from "../helpers/waiting.ts"
import { MovableClock } from "../sandbox/kit/movable-clock.ts"
import { ADA, CLEO, DOCS } from "../sandbox/slack/index.ts"

const MINUTE_MS = 60_000
const env = { JOBS_PER_HOUR: "2", RESERVED_SLOTS: "0", START_DELAY_SECONDS: "60" }
/** Its bots remember nothing outside of Redis, as where DATA_DIR is lost with each restart. */
const { testBed } = useTestBed({ env })

const prompts = ({ docs }: Bed) => docs.creations.map(({ prompt }) => prompt)

/** Returns how many slots of the hour are taken: a start that comes too early may not be there yet. */
const spent = async ({ services }: Bed) => (await queueFacts(services)).slots.length
const noticesOf = async ({ bot }: Bed) => (await readyz(bot)).notices

/** Takes a backup over a connection that outlasts the bot's. */
function backUp({ services }: Bed) {
  const client = (services.workerRedis as Redis).duplicate()
  onTestFinished(() => client.disconnect())
  return snapshot(client)
}

test.each(["kept", "lost"])(
  "LIM-17: a follow-up that an older copy still has waiting is not sent again, DATA_DIR %s",
  async (dataDir) => {
    const clock = new MovableClock()
    const h = await testBed({
      clock,
      ...(dataDir === "kept" ? { dataDir: await temporaryFolder() } : {}),
    })
    await ask(h, "fix the quickstart")
    await waiting(h, 1)
    await pass(h, clock, 2)
    const { ts } = await h.botSays(/Working on it/)
    await h.slack.as(ADA).mention(DOCS, "and the guide", { thread: ts })
    await h.slack.until(() => /and the guide/.test(JSON.stringify(h.botMessages())))
    const restore = await backUp(h)
    const [job] = h.docs.jobs(h.docs.projects[0]?.id ?? "")
    if (!job) throw new Error("no job")
    h.docs.finish(job.id, "pull_request")
    await h.botSays(/Update queued|Starting in a moment/)
    await pass(h, clock, 5)
    const messages = () => h.docs.jobs(h.docs.projects[0]?.id ?? "").flatMap((one) => one.messages)
    await h.docsUntil(() => messages().length === 1)

    await h.restartBot(restore)
    await pass(h, clock, 5)
    h.docs.finish(job.id, "pull_request")
    await h.botSays(/Couldn't confirm that the agent got the follow-up/)
    await pass(h, clock, 70)
    expect(messages()).toHaveLength(1)
  },
)

test("LIM-17: where one of two machines lost its DATA_DIR, what it sent since a backup is not sent again", async () => {
  const clock = new MovableClock()
  const h = await testBed({ clock, goesOn: "other bots have taken over" })
  const other = { env: { ...h.env, ...env }, clock, dataDir: await temporaryFolder() }
  await using second = await joined(h, other)
  await ask(h, "sent by the first machine")
  await waiting(h, 1)
  const restore = await backUp(h)
  await pass(second, clock, 0.5)
  await second[Symbol.asyncDispose]()
  await pass(h, clock, 1)
  await h.docsUntil(({ creations }) => creations.length === 1)
  await pass(h, clock, 5)
  await h.bot.stop()
  await restore()
  await using again = await joined(h, other)
  await cardOfSays(h, "sent by the first machine", /Couldn't confirm/)
  await answerPause("resume", again.services.front)
  await using lost = await joined(h, { env: other.env, clock })
  await pass(lost, clock, 0)
  await ask(h, "asked after the restore")
  await cardOfSays(h, "asked after the restore", /starts around/)
  await pass(lost, clock, 59)
  expect(prompts(h)).toEqual(["sent by the first machine"])
  clock.moveOn(2 * MINUTE_MS)
  await h.docsUntil(({ creations }) => creations.length === 2)
})

test("LIM-16: without DATA_DIR, a restart in seconds changes nothing; after a night, requests wait an hour and go", async () => {
  const clock = new MovableClock()
  const h = await testBed({ clock, env: { ADMIN_USERS: CLEO } })
  await ask(h, "waits for a restart")
  await waiting(h, 1)
  await pass(h, clock, 0.5)
  await h.restartBot()
  await pass(h, clock, 1)
  await h.docsUntil(({ creations }) => creations.length === 1)
  expect(await noticesOf(h)).toEqual([])

  await ask(h, "waits for the morning")
  await waiting(h, 1)
  await h.restartBot(async () => clock.moveOn(480 * MINUTE_MS))
  await cardOfSays(h, "waits for the morning", /starts around/)
  await h.slack.until(() => h.direct(CLEO).length === 1)
  expect(await noticesOf(h)).toHaveLength(1)
  expect(await metricsOf(h.bot)).toContain('reason="unknown_hour"} 1\n')
  await pass(h, clock, 59)
  expect(await spent(h)).toBe(2)
  expect(prompts(h)).toHaveLength(1)
  await pass(h, clock, 2)
  await h.docsUntil(({ creations }) => creations.length === 2)
})

test("LIM-15: the wait of an empty Redis begins with the bot, nothing starts in it, and a flushed one hears what was started in this hour", async () => {
  const h = await testBed({ coldMs: 60_000, env: { START_DELAY_SECONDS: "0" } })
  const { workerRedis, front } = h.services
  const { log } = queueKeys(front.settings.projects.keys[0] ?? "")
  await expect.poll(() => workerRedis.exists(EPOCH)).toBe(1)
  const wait = (await workerRedis.get(EPOCH)) ?? ""
  await askUntil(h, "fix the quickstart", /^Starting$/m)
  expect(h.docs.creations).toEqual([])
  expect(await workerRedis.get(EPOCH)).toBe(wait)
  await workerRedis.set(EPOCH, wait.replace(/^\d+/, "1"))
  await h.bot.worker?.passes.care?.()
  await h.botSays(/Working on it/)
  const [member] = await workerRedis.zrange(log, "0", "-1")

  await workerRedis.flushall()
  await h.bot.worker?.passes.care?.()

  await expect.poll(() => workerRedis.zrange(log, "0", "-1")).toEqual([member])
  expect(Number(/^\d+/.exec((await workerRedis.get(EPOCH)) ?? ""))).toBeGreaterThan(Date.now())
})
