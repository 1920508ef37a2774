import { expect, test } from "vitest"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { SAME_NAMES } from "../../../src/redis/projects/names.ts"
import { botSays } from "../../helpers/reading.ts"
import { useRedis } from "../../helpers/redis.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ env: { MAX_QUEUED_PER_USER: "2" } })
const redis = useRedis()

test("somebody with as many waiting as one may have is told so, and others may ask", async () => {
  const h = await testBed()
  h.docs.fail({ type: "expired_key", kind: "create" })
  const ask = (text: string, user = ADA) => h.slack.as(user).slash(DOCS, "/docs-agent", text)
  await ask("first")
  // The queue is paused: nobody's request starts from here on.
  await botSays(h, /rejected the API key/)

  expect((await ask("second")).shown).toBeUndefined()
  expect((await ask("third")).shown?.text).toMatch(/You have 2 requests waiting/)

  expect(await h.services.jobs.ofUser(ADA, 5)).toHaveLength(2)
  expect((await ask("somebody else's", BEN)).shown).toBeUndefined()
})

test("however many projects there are, one person may have so many waiting in all", async () => {
  const ids = ["docs-site", "other-site"]
  const project = (id: string) => ({ name: id, id, key: SECRETS.apiKey })
  const h = await testBed({
    docs: { projects: ids.map(project) },
    env: {
      DOCS_PROJECT_ID: "",
      DOCS_API_KEY: "",
      DOCS_PROJECTS: JSON.stringify(ids.map(project)),
    },
  })
  await h.bot.worker?.stop()
  const ask = (text: string, user = ADA) => h.slack.as(user).slash(DOCS, "/docs-agent", text)
  await ask("first")
  await ask("project=other-site second")
  expect((await ask("project=other-site third")).shown?.text).toMatch(/You have 2 requests/)
  expect((await ask("fourth")).shown?.text).toMatch(/You have 2 requests/)
  expect(await h.services.jobs.ofUser(ADA, 5)).toHaveLength(2)
  await ask("somebody else's", BEN)
  expect(await h.services.jobs.ofUser(BEN, 5)).toHaveLength(1)
})

// Redis' Lua passes on some thousand keys at a time, and each project has two queues.
test("so it is where there are thousands of projects", async () => {
  const stored = Array.from({ length: 5000 }, (_, n) => `site-${n}`)
  const names = async () => ({ ...(await SAME_NAMES()), stored })
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 2, names })
  const ask = (project: string) =>
    jobs.enqueue({
      project,
      team: "T1",
      channel: "C1",
      user: ADA,
      prompt: { words: `fix ${project}` },
      idempotencyKey: project,
    })
  expect(await ask("site-4999")).toMatchObject({ outcome: "queued" })
  expect(await ask("site-2500")).toMatchObject({ outcome: "queued" })
  expect(await ask("site-0")).toEqual({ outcome: "full", of: "waiting", waiting: 2 })
})
