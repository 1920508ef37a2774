import { describe, expect, test } from "vitest"
import { keys } from "../../../src/redis/keys.ts"
import { listedProjects as listed } from "../../helpers/listed-projects.ts"
import { botMessages, botSays, closingReply, docsUntil } from "../../helpers/reading.ts"
import { joined, restarted } from "../../helpers/restarted.ts"
import { FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS, TEAM } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const ID = SECRETS.project
const OTHER = "other-site"
const docs = { projects: [ID, OTHER].map((id) => ({ id, key: SECRETS.apiKey })) }
const testBed = useTestBed({ docs })
type TestBed = Awaited<ReturnType<typeof testBed>>

const ask = ({ slack }: TestBed, text: string, user = ADA) =>
  slack.as(user).slash(DOCS, "/docs-agent", text)
const endings = ({ slack }: TestBed) => botMessages(slack).filter(({ threadTs }) => threadTs)
const NEVER = { ending: "never", afterMs: 0 } as const

describe("hour, queue and running jobs belong to the project's id", () => {
  test.each([
    ["another name", listed({ docs: ID }), listed({ guides: ID })],
    ["the list instead of the single project", {}, listed({ docs: ID })],
    ["the single project instead of the list", listed({ docs: ID }), {}],
  ])("they are kept under %s", async (_, before, after) => {
    const limit = { JOBS_PER_HOUR: "2", RESERVED_SLOTS: "0" }
    const h = await testBed({ env: { ...before, ...limit } })
    h.docs.planAll(NEVER)
    await ask(h, "runs already")
    await ask(h, "runs as well", BEN)
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await ask(h, "waits")
    await botSays(h, /Next in line/)

    await using again = await restarted(h, { env: { ...after, ...limit } })

    const [project = ""] = again.services.config.docs.projects.map(({ name }) => name)
    const facts = await again.services.queue.facts(project)
    expect(facts.log).toHaveLength(2)
    expect(facts.waiting).toHaveLength(1)
    for (const { jobId } of h.docs.creations) h.docs.finish(jobId, "pull_request")
    await h.slack.until(() => endings(h).length === 2)
    expect(endings(h).every(({ text }) => text.includes("Pull request ready"))).toBe(true)
    expect(h.docs.creations).toHaveLength(2)
  })

  test("of a version before, whose single project was stored by its id, they are kept as well", async () => {
    const h = await testBed()
    h.docs.planAll(NEVER)
    await ask(h, "runs already")
    await docsUntil(h, ({ creations }) => creations.length === 1)
    await h.services.workerRedis.del(keys.projects, keys.configured)

    await using again = await restarted(h, { env: listed({ docs: ID }) })

    expect((await again.services.queue.facts("docs")).log).toHaveLength(1)
    h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
    expect((await closingReply(h)).text).toMatch(/Pull request ready/)
  })

  test("two processes that call it differently share them", async () => {
    const h = await testBed({
      env: listed({ docs: ID }, { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }),
    })
    h.docs.planAll(NEVER)
    const env = listed({ guides: ID }, { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" })
    await using again = await joined(h, { env })
    await ask(h, "runs")
    await docsUntil(h, ({ creations }) => creations.length === 1)
    await ask(h, "waits")
    await botSays(h, /Next in line/)
    for (const { services } of [h, again]) {
      const [project = ""] = services.config.docs.projects.map(({ name }) => name)
      expect((await services.queue.facts(project)).log).toHaveLength(1)
      expect((await services.queue.facts(project)).waiting).toHaveLength(1)
    }
  })

  test("a name that another project had stands for the new one only", async () => {
    const h = await testBed({ env: listed({ docs: ID }) })
    h.docs.planAll(NEVER)
    await ask(h, "of the first")
    await docsUntil(h, ({ creations }) => creations.length === 1)
    await using again = await restarted(h, { env: listed({ docs: OTHER, guides: ID }) })
    expect((await again.services.queue.facts("docs")).log).toEqual([])
    expect((await again.services.queue.facts("guides")).log).toHaveLength(1)
    await ask(h, "of the second")
    await docsUntil(h, ({ creations }) => creations.length === 2)
    expect(h.docs.jobs(OTHER).map(({ prompt }) => prompt)).toEqual(["of the second"])
  })

  test("what a process with the old name still queues is taken over", async () => {
    const h = await testBed({ env: listed({ docs: ID }) })
    h.docs.planAll(NEVER)
    // As the version before writes it: under the name it knows, here the id.
    const { workerRedis, work } = h.services
    await h.bot.worker?.stop()
    await ask(h, "from before")
    const [job] = await work.jobs.ofUser(ADA, 1)
    const [own, theirs] = [keys.project("docs"), keys.project(ID)]
    await workerRedis.rename(own.wait, theirs.wait)
    await workerRedis.rename(keys.waiting("docs", ADA), keys.waiting(ID, ADA))
    await workerRedis.hset(keys.job(job?.id ?? ""), "project", ID)
    await workerRedis.srem(keys.busy, "docs")
    await workerRedis.sadd(keys.busy, ID)

    await using again = await restarted(h, { env: listed({ docs: ID }) })

    await docsUntil(h, ({ creations }) => creations.length === 1)
    expect((await again.services.queue.facts("docs")).log).toHaveLength(1)
    expect(await workerRedis.zcard(theirs.wait)).toBe(0)
  })
})

describe("what a person or a channel chose goes by the id as well", () => {
  test("a digest is about the project under its new name", async () => {
    const h = await testBed({ env: listed({ docs: ID }) })
    const rhythm = { every: "daily", hour: 9, minute: 0 } as const
    const subscription = { team: TEAM, channel: DOCS, user: ADA, zone: "UTC", rhythm, dueAt: 1 }
    await h.bot.worker?.stop()
    await h.services.visitors.deps.subscriptions.save({ ...subscription, project: "docs" })
    await using _again = await restarted(h, { env: listed({ guides: ID }) })
    await botSays(h, /^Docs visitors,/)
  })

  test("the project that an admin chose for a channel is the same under its new name", async () => {
    const two = { docs: ID, more: OTHER }
    const h = await testBed({ env: listed(two) })
    await h.services.jobs.useProject(DOCS, "docs")
    await using again = await restarted(h, { env: listed({ more: OTHER, guides: ID }) })
    expect(await again.services.jobs.projectOf(DOCS)).toBe("guides")
  })
})

describe("a project that is no longer configured", () => {
  const timing = { ...FAST_TIMING, abandonedMs: 0 }

  test("ends its jobs with a word that says so, and the log names it", async () => {
    const h = await testBed({
      env: listed({ docs: ID }, { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }),
    })
    h.docs.planAll(NEVER)
    await ask(h, "runs")
    await docsUntil(h, ({ creations }) => creations.length === 1)
    await ask(h, "waits")
    await botSays(h, /Next in line/)
    const lines: string[] = []
    const log = { write: (line: string) => void lines.push(line) }

    await using _again = await restarted(h, { env: listed({ more: OTHER }), timing, log })

    await h.slack.until(() => endings(h).length === 2)
    const texts = endings(h).map(({ text }) => text)
    expect(
      texts.filter((text) => /Not started: its project isn't configured/.test(text)),
    ).toHaveLength(1)
    expect(texts.filter((text) => /No longer followed: its project/.test(text))).toHaveLength(1)
    expect(h.docs.creations).toHaveLength(1)
    expect(lines.find((line) => line.includes("no longer configured"))).toContain(
      '"project":"docs"',
    )
  })

  test("is left alone while another process may have it", async () => {
    const h = await testBed({ env: listed({ docs: ID }) })
    h.docs.planAll({ ending: "pull_request", afterMs: 300 })
    await using other = await joined(h, { env: listed({ more: OTHER }) })
    const words = { project: "docs", team: TEAM, channel: DOCS, user: ADA, idempotencyKey: "k" }
    await h.services.jobs.enqueue({ ...words, prompt: { words: "of the first" } })
    expect((await closingReply(h)).text).toMatch(/Pull request ready/)
    expect(await other.services.work.register.isAbandoned("docs")).toBe(false)
  })
})
