import { describe, expect } from "vitest"
import { BUSY, jobKeys, queueKeys } from "../../src/jobs/job-keys.ts"
import { key } from "../../src/store/redis-keys.ts"
import type { RedisClient } from "../../src/store/script.ts"
import { ask, askUntil } from "../helpers/asked.ts"
import { metricsOf, readyz } from "../helpers/of-itself.ts"
import { type Bed, FAST_TIMING, READY, useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, type Message } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

const closings = (h: Bed, says: RegExp) =>
  h.botMessages().filter((m) => m.threadTs !== undefined && says.test(m.text))

async function jobsOf(h: Bed, user: string): Promise<string[]> {
  return h.services.workerRedis.zrange(jobKeys.ofUser(user), "0", "-1")
}

const logOf = ({ services }: Bed) => queueKeys(services.front.settings.projects.keys[0] ?? "").log

/** Damage to a record: by a later version, with words for a number, of another type. */
const DAMAGE: readonly ((store: RedisClient, key: string) => Promise<unknown>)[] = [
  (store, key) => store.hset(key, "v", "9"),
  (store, key) => store.hset(key, "rev", "many"),
  (store, key) => store.multi().del(key).set(key, "by hand").exec(),
]

/** Asks for one job of Ada's for each kind of damage. */
async function askForBroken(h: Bed): Promise<void> {
  for (const n of DAMAGE.keys()) await ask(h, `is broken in way ${n}`)
}

/** Damages each of Ada's first jobs in its own way. */
async function damageAll(h: Bed): Promise<void> {
  const ids = await jobsOf(h, ADA)
  for (const [n, damage] of DAMAGE.entries())
    await damage(h.services.workerRedis, jobKeys.record(ids[n] ?? ""))
}

const saying = (h: Bed, says: RegExp, count: number) =>
  h.slack.until(() => h.botMessages().filter(({ text }) => says.test(text)).length === count)

describe("stored jobs that can't be read do not stop the others", () => {
  const goesOn = "the broken records stay"

  test("in the queue", async () => {
    const h = await testBed({ plan: READY, goesOn })
    const busy = h.docs.fail({ type: "rate_limited", kind: "create", retryAfter: 1 })
    await askForBroken(h)
    await ask(h, "last in line", BEN)
    await h.slack.until(() => h.botMessages().length === DAMAGE.length + 1)
    // The one that was refused is back in the queue: nobody could return its slot after the damage.
    const slots = () => h.services.workerRedis.zcard(logOf(h))
    await expect.poll(async () => busy.hits > 0 && (await slots())).toBe(0)
    await damageAll(h)
    busy.clear()
    await h.resumeAll()

    await h.slack.until(() => closings(h, /request is ready/).length === 1)
    expect(h.docs.creations.map(({ prompt }) => prompt)).toContain("last in line")
    // A job that was never sent frees its slot.
    await expect.poll(slots).toBe(h.docs.creations.length)
  })

  test("who want to know where they stand", async () => {
    const h = await testBed({ goesOn, env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
    await askUntil(h, "takes the hour", /Working on it/, CLEO)
    await askForBroken(h)
    await ask(h, "last in line", BEN)
    await saying(h, / in line/, DAMAGE.length + 1)
    await damageAll(h)
    const { shown } = await ask(h, "status", BEN)
    expect(shown?.text).toMatch(/last in line .*(next|2nd) in line/s)
  })

  test("SAFE-6: while they are followed, when their person asks about them, and in their thread", async () => {
    const h = await testBed({ goesOn })
    await askForBroken(h)
    await saying(h, /Working on it/, DAMAGE.length)
    const [card] = h.botMessages()
    await ask(h, "the readable one", BEN)
    await saying(h, /Working on it/, DAMAGE.length + 1)
    const broken = await jobsOf(h, ADA)
    const isTold = (id: string) =>
      h.lines.some((line) => line.includes(id) && line.includes("Couldn't read the stored"))
    // A poll in progress may overwrite the damage, so the test repeats it until the bot reports it.
    const brokenAgain = async () => {
      await damageAll(h)
      return broken.every(isTold)
    }
    await expect.poll(brokenAgain, { interval: 500 }).toBe(true)
    for (const { jobId } of h.docs.creations) h.docs.finish(jobId, "pull_request")

    await h.slack.until(() => closings(h, /request is ready/).length === 1)

    expect((await ask(h, "status")).error).toBeUndefined()
    expect((await ask(h, "a later one")).shown).toBeUndefined()
    await h.slack.as(BEN).mention(DOCS, "go on from here", { thread: card?.ts ?? "" })
    await h.docsUntil(({ creations }) => creations.length === DAMAGE.length + 3)
    expect((await ask(h, "status")).shown?.text).toMatch(/a later one/)
  })
})

test("SAFE-6: jobs whose words are broken, later, of another type or gone cost no slot, and their requester and card are told", async () => {
  const h = await testBed({ plan: READY })
  const redis = h.services.workerRedis
  const damages: ((key: string) => Promise<unknown>)[] = [
    (key) => redis.set(key, '{"v":4,"words":'),
    (key) => redis.set(key, '{"v":9,"words":"later"}'),
    (key) => redis.multi().del(key).rpush(key, "by hand").exec(),
    (key) => redis.del(key),
  ]
  const busy = h.slack.fail({ kind: "rate_limited", retryAfter: 1, method: "chat.postMessage" })
  for (const n of damages.keys()) await ask(h, `has words that break in way ${n}`)
  await ask(h, "has good words", BEN)
  await expect.poll(() => busy.hits).toBeGreaterThan(damages.length)
  const found = await h.services.work.jobs.ofUser(ADA)
  const ids = found.flatMap(({ job }) => job.rounds[0]?.asks.map(({ id }) => id) ?? [])
  for (const [n, id] of ids.entries()) {
    await damages[n]?.(jobKeys.words(id))
    // As after the half hour for which Slack takes answers to a command.
    await redis.del(jobKeys.reply(id))
  }
  busy.clear()

  await h.slack.until(() => closings(h, /request is ready/).length === 1)
  await saying(h, /Not started: this request couldn't be prepared/, damages.length)
  const isTold = ({ text }: Message) => /^One of your requests didn't start.* Send it/.test(text)
  await h.slack.until((s) => s.ephemerals(ADA).filter(isTold).length === damages.length)
  const named = ids.map((id) =>
    h.lines.some((line) => line.includes("unreadable record") && line.includes(id)),
  )
  expect(named).toEqual([true, true, true, false])
  expect(h.docs.creations).toHaveLength(1)
  await expect.poll(() => redis.zcard(logOf(h))).toBe(1)
})

test.each([
  ["as a message", "/v2/agent/{projectId}/job/{jobId}/message"],
  ["as a new job", "off"],
])(
  "SAFE-6: one of several follow-ups whose words can't be read is told, and the others go %s",
  async (_, path) => {
    const h = await testBed({ env: { DOCS_MESSAGE_PATH: path } })
    const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
    const thread = { thread: root.ts }
    await h.docsUntil(({ creations }) => creations.length === 1)
    await h.slack.as(CLEO).mention(DOCS, "and name the limits", thread)
    await h.slack.as(BEN).mention(DOCS, "and the keys", thread)
    const job = async () => (await h.services.front.jobs.inThread(DOCS, root.ts))[0]?.job
    const waiting = async () => (await job())?.waiting.filter(({ isPrepared }) => isPrepared) ?? []
    await expect.poll(async () => (await waiting()).length).toBe(2)
    const [broken] = (await waiting()).filter(({ user }) => user === CLEO)
    await h.services.workerRedis.set(jobKeys.words(broken?.id ?? ""), '{"v":9}')
    const jobId = h.docs.creations[0]?.jobId ?? ""
    h.docs.finish(jobId, "pull_request")
    await h.toldPrivately(CLEO, /^One of your requests didn't start/)
    const sent = () => [...(h.docs.job(jobId)?.messages ?? []), ...h.docs.creations.slice(1)]
    await h.docsUntil(() => sent().length === 1)
    expect(sent()[0]?.prompt).toContain("and the keys")
    expect(h.slack.ephemerals(BEN)).toEqual([])
  },
)

test("a creation in flight whose record is gone holds up nobody, and what was started once is not started again", async (h) => {
  const { creating, wait } = queueKeys(h.services.front.settings.projects.keys[0] ?? "")
  await h.services.workerRedis.zadd(creating, 1, "gone")
  await askUntil(h, "is started once", /Working on it/)
  await h.services.workerRedis.zadd(wait, 0, (await h.jobOf()).id)
  await ask(h, "comes after it", BEN)
  expect(await h.promptsSent(2)).toEqual(["is started once", "comes after it"])
})

test("a key that somebody changed to another type is named, with what to do, by a pass, `/metrics` and `/readyz`", async () => {
  const h = await testBed({ goesOn: "nothing can be read from the broken keys" })
  const { workerRedis } = h.services
  for (const key of [BUSY, jobKeys.schedule("outbox"), jobKeys.schedule("polls")])
    await workerRedis.multi().del(key).set(key, "in the way").exec()
  await ask(h, "fix the quickstart page")
  await expect.poll(() => h.lines.join()).toMatch(/one of [^"]*\{da\}:outbox/)
  expect(h.lines.join()).toContain("delete it")
  expect(await metricsOf(h.bot)).not.toContain("queue_waiting{")
  expect((await readyz(h.bot)).notices).toEqual([])
  expect(h.lines.join()).toMatch(/"key":"\{da\}:polls"[^\n]*couldn't read the gauges/)
  expect(h.lines.join()).toMatch(/"key":"\{da\}:busy"[^\n]*couldn't read the notices/)
})

test("SAFE-6: a follow-up that can never be prepared is given up, and its requester hears so", async () => {
  const timing = { ...FAST_TIMING, tries: { ...FAST_TIMING.tries, failedMs: 0 } }
  const h = await testBed({ timing })
  const { root, says } = await h.startThread("write the guide")
  await says(/Working on it/)
  await h.services.workerRedis.hset(key("own", BEN, "profile"), "by", "hand")
  await h.slack.as(BEN).mention(DOCS, "and name the limits", { thread: root.ts })
  await h.toldPrivately(BEN, /^One of your requests didn't start.* Send it again/)
  h.finish("pull_request")
  await says(/^(?!.*name the limits).*Pull request ready/s)
  expect(h.docs.creations).toHaveLength(1)
})
