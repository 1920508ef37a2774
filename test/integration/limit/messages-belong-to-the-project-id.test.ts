import { describe, expect, test } from "vitest"
import { messagesOf } from "../../../src/jobs/queues.ts"
import { keys } from "../../../src/redis/keys.ts"
import { listedProjects } from "../../helpers/listed-projects.ts"
import { botSays, docsUntil } from "../../helpers/reading.ts"
import { joined, restarted } from "../../helpers/restarted.ts"
import { FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const ID = SECRETS.project
const OTHER = "other-site"
const docs = { projects: [ID, OTHER].map((id) => ({ id, key: SECRETS.apiKey })) }
const testBed = useTestBed({ docs })
const LIMIT = { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }

/** A thread with one follow-up sent, which is all that the hour of messages holds, and one that waits. */
async function aWaitingFollowUp() {
  const h = await testBed({ env: listedProjects({ docs: ID }, LIMIT) })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /request ready/, { thread: root.ts })
  await h.slack.as(ADA).mention(DOCS, "first", { thread: root.ts })
  await docsUntil(h, (service) => service.jobs(ID)[0]?.messages.length === 1)
  await botSays(h, /first[\s\S]*request ready/)
  await h.slack.as(ADA).mention(DOCS, "second", { thread: root.ts })
  await botSays(h, /second[\s\S]*Next in line/)
  return { h, root }
}

describe("hour and queue of messages belong to the project's id", () => {
  test("they are kept under another name", async () => {
    const { h } = await aWaitingFollowUp()
    await using again = await restarted(h, { env: listedProjects({ guides: ID }, LIMIT) })
    const facts = await again.services.queue.facts(messagesOf("guides"))
    expect(facts.log).toHaveLength(1)
    expect(facts.waiting).toHaveLength(1)
    expect(await again.services.queue.busy()).toContain(messagesOf("guides"))
  })

  test("what was found out about messages is known under another name as well", async () => {
    const h = await testBed({ env: listedProjects({ docs: ID }) })
    await h.services.operations.learned("docs", "message", "absent")
    await using again = await joined(h, { env: listedProjects({ guides: ID }) })
    expect(await again.services.operations.presence("guides", "message")).toBe("absent")
  })

  test("what waits under an old name is taken over", async () => {
    const { h } = await aWaitingFollowUp()
    const { workerRedis } = h.services
    await h.bot.worker?.stop()
    const [own, theirs] = [keys.project(messagesOf("docs")), keys.project(messagesOf(ID))]
    const [job = ""] = await workerRedis.zrange(own.wait, "0", "0")
    await workerRedis.rename(own.wait, theirs.wait)
    await workerRedis.rename(own.log, theirs.log)
    const waiting = (name: string) => keys.waiting(messagesOf(name), ADA)
    await workerRedis.rename(waiting("docs"), waiting(ID))
    await workerRedis.hset(keys.job(job), "project", ID)
    await workerRedis.srem(keys.busyMessages, messagesOf("docs"))
    await workerRedis.sadd(keys.busyMessages, messagesOf(ID))

    await using again = await restarted(h, { env: listedProjects({ docs: ID }, LIMIT) })

    await again.services.work.register.keep()
    const facts = await again.services.queue.facts(messagesOf("docs"))
    expect(facts.waiting).toHaveLength(1)
    expect(facts.log).toHaveLength(1)
    expect(await workerRedis.zcard(theirs.wait)).toBe(0)
    expect(await workerRedis.hget(keys.job(job), "project")).toBe("docs")
  })

  test("a follow-up whose project is no longer configured ends with a word that says so", async () => {
    const { h, root } = await aWaitingFollowUp()
    const timing = { ...FAST_TIMING, abandonedMs: 0 }
    await using _again = await restarted(h, { env: listedProjects({ more: OTHER }), timing })
    await botSays(h, /Not started: its project isn't configured/, { thread: root.ts })
    expect(h.docs.creations).toHaveLength(1)
  })
})
