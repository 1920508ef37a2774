import { describe, expect, test } from "vitest"
import type { NewJob } from "../../../src/jobs/ports.ts"
import { keys } from "../../../src/redis/keys.ts"
import {
  botSays,
  buttonsOf,
  closingReply,
  docsUntil,
  toldPrivately,
} from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS, TEAM } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

/** The hour is used up by one, so that all others wait. */
const testBed = useTestBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
type TestBed = Awaited<ReturnType<typeof testBed>>

const HOUR_MS = 3_600_000
/** Slack's longest message, of signs that take four bytes each. */
const LONGEST = `fix ${"𠀀".repeat(39_900)} `
const LONGEST_BYTES = 160_000

/** A request as every entry makes it. */
const request = (words: string, user = ADA): NewJob => ({
  project: SECRETS.project,
  team: TEAM,
  channel: DOCS,
  user,
  prompt: { words },
  idempotencyKey: `test:${words.slice(-40)}`,
})

async function opened(more: Parameters<typeof testBed>[0] = {}): Promise<TestBed> {
  const h = await testBed(more)
  h.docs.planAll({ ending: "never", afterMs: 0 })
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "takes the only slot")
  await docsUntil(h, ({ creations }) => creations.length === 1)
  return h
}

/** Asks and takes it back. @returns the job's id, if it was let in */
async function askAndCancel({ services: { jobs } }: TestBed, words: string) {
  const asked = await jobs.enqueue(request(words))
  if (asked.outcome === "full") return undefined
  const job = await jobs.get(asked.id)
  if (job) expect(await jobs.endQueued(job, "cancelled")).toBe(true)
  return asked.id
}

async function stored({ services: { workerRedis: redis } }: TestBed, pattern: string) {
  const names = await redis.keys(pattern)
  const sizes = await Promise.all(names.map((name) => redis.strlen(name)))
  return { names, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

describe("what one person has stored is bounded", () => {
  test("words of a request that was taken back are kept for an hour", async () => {
    const h = await opened()
    const id = await askAndCancel(h, "taken back")
    const left = await h.services.workerRedis.pttl(keys.prompt(id ?? ""))
    expect(left).toBeGreaterThan(HOUR_MS - 10_000)
    expect(left).toBeLessThanOrEqual(HOUR_MS)
  })

  test("of requests beyond the last hundred no words are left, and cancelled ones go altogether", async () => {
    const h = await opened()
    const ids: (string | undefined)[] = []
    for (let n = 0; n < 130; n++) ids.push(await askAndCancel(h, `number ${n}`))
    expect((await stored(h, "{da}:prompt:*")).names.length).toBeLessThanOrEqual(101)
    for (const id of ids.slice(0, 29))
      expect(await h.services.workerRedis.pttl(keys.job(id ?? ""))).toBeLessThanOrEqual(HOUR_MS)
    const [latest] = await h.services.jobs.ofUser(ADA, 1)
    expect((await h.services.jobs.prompt(latest?.id ?? ""))?.words).toBe("number 129")
  })

  test("words stay while their pull request is open: the card is written again when it is merged", async () => {
    const h = await testBed({ followsPulls: true })
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    await closingReply(h)
    for (let n = 0; n < 110; n++) await askAndCancel(h, `number ${n}`)
    for (let n = 0; n < 30; n++) await askAndCancel(h, `${LONGEST}${n}`)
    const [pull] = h.github.pulls()
    if (!pull) throw new Error("The job opened no pull request")
    h.github.act(pull.repository, pull.number, { do: "merge", by: "ben" })
    await botSays(h, /write the guide.*Merged by ben/s)
  })

  test("and while Slack cannot be told yet what became of it", async () => {
    const h = await testBed({ followsPulls: true })
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    await closingReply(h)
    await botSays(h, /write the guide.*Pull request ready/s)
    const away = h.slack.fail({ kind: "status", status: 503, method: "chat.update" })
    const [pull] = h.github.pulls()
    if (!pull) throw new Error("The job opened no pull request")
    h.github.act(pull.repository, pull.number, { do: "merge", by: "ben" })
    await h.slack.until(() => away.hits > 0)
    for (let n = 0; n < 110; n++) await askAndCancel(h, `number ${n}`)
    away.cancel()
    await botSays(h, /write the guide.*Merged by ben/s)
  })

  test("long words of ended requests make room for new ones", async () => {
    const h = await opened()
    for (let n = 0; n < 40; n++) expect(await askAndCancel(h, `${LONGEST}${n}`)).toBeDefined()
    const { bytes } = await stored(h, "{da}:prompt:*")
    expect(bytes).toBeLessThan(4_000_000 + LONGEST_BYTES)
    expect(bytes).toBeGreaterThan(4_000_000 - 2 * LONGEST_BYTES)
  })

  test("where all of them still wait the person hears it, and somebody else asks on", async () => {
    const h = await opened()
    for (let n = 0; n < 25; n++)
      expect(await h.services.jobs.enqueue(request(`${LONGEST}${n}`))).toMatchObject({
        outcome: "queued",
      })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", LONGEST)
    await toldPrivately(h, ADA, /open requests add up to too much text/)
    expect(await h.services.jobs.enqueue(request("a short one"))).toMatchObject({
      outcome: "queued",
    })
    expect(await h.services.jobs.enqueue(request(LONGEST, BEN))).toMatchObject({
      outcome: "queued",
    })
  })

  test("the same question again is kept once, and once it is answered it is another one", async () => {
    const h = await testBed({ env: { JOBS_PER_HOUR: "9" } })
    h.docs.planAll({ ending: "never", afterMs: 0 })
    const ask = () => h.slack.as(ADA).slash(DOCS, "/docs-agent", "the same again")
    await ask()
    await docsUntil(h, ({ creations }) => creations.length === 1)
    for (let n = 0; n < 12; n++) await ask()
    const question = await toldPrivately(h, ADA, /made this request a few minutes ago/)
    expect((await stored(h, "{da}:draft:*")).names).toHaveLength(1)
    expect(buttonsOf(question)).toContain("run_anyway")
    await h.slack.as(ADA).click(question, "run_anyway")
    await docsUntil(h, ({ creations }) => creations.length === 2)

    await ask()
    const another = await h.slack.until((s) =>
      s
        .ephemerals(ADA)
        .findLast(({ ts, text }) => ts > question.ts && /few minutes ago/.test(text)),
    )
    await h.slack.as(ADA).click(another, "run_anyway")
    await docsUntil(h, ({ creations }) => creations.length === 3)
  })

  test("forms that nobody sends and questions that nobody answers are the last fifty", async () => {
    const h = await testBed()
    const { jobs } = h.services
    const { idempotencyKey: _, ...draft } = request("")
    const ids: string[] = []
    for (let n = 0; n < 60; n++) ids.push(await jobs.saveDraft(draft))
    expect((await stored(h, "{da}:draft:*")).names).toHaveLength(50)
    expect(await jobs.draft(ids.at(-1) ?? "")).toMatchObject({ user: ADA })
    for (let n = 0; n < 40; n++)
      await jobs.saveDraft({ ...draft, prompt: { words: `${LONGEST}${n}` } })
    expect((await stored(h, "{da}:draft:*")).bytes).toBeLessThan(2_000_000)
  })
})

test("what a hand wrote where the room is remembered turns nobody away", async () => {
  const h = await testBed()
  await h.services.workerRedis.set(keys.room, "many", "PX", 60_000)
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "let me in")
  await botSays(h, /let me in/)
})
