import { expect } from "vitest"
import { jobKeys, queueKeys } from "../../src/jobs/job-keys.ts"
import { ask } from "../helpers/asked.ts"
import { withProjects } from "../helpers/listed-projects.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { MAX_QUEUED_PER_USER: "2" } })

async function askForTwo(h: Bed) {
  for (const page of ["first", "second"]) await ask(h, `fix the ${page} page`)
}

test("LIM-8: somebody with as many waiting, in all projects, as one may have is told so, and others may ask", async () => {
  const h = await testBed(withProjects({ docs: "docs-site", other: "other-site" }))
  h.docs.fail({ type: "expired_key", kind: "create" })
  await ask(h, "fix the first page")
  // The queue is paused: from here on, no request starts.
  await h.botSays(/Paused until/)

  expect((await ask(h, "project=other fix the second page")).shown).toBeUndefined()
  const there = (await ask(h, "project=other fix the third")).shown?.text
  expect(there).toMatch(/You have 2 requests queued/)
  const refused = (await ask(h, "fix the third page")).shown?.text
  expect(refused).toMatch(/You have 2 requests queued/)
  expect(refused).not.toContain("3,000")
  // The form holds no more of a long request, and says so.
  const long = (await ask(h, "fix the third page ".repeat(200))).shown?.text
  expect(long).toMatch(/You have 2 requests queued.* opens the first 3,000 characters/s)

  expect(await h.services.front.jobs.ofUser(ADA)).toHaveLength(2)
  expect((await ask(h, "fix somebody else's page", BEN)).shown).toBeUndefined()
  await h.botSays(/somebody else's page/)
})

test("whose `yes` to a question finds no room is told so", async () => {
  const h = await testBed({ goesOn: "no worker is running" })
  await h.bot.worker?.stop()
  await askForTwo(h)
  await h.slack.as(ADA).mention(DOCS, "glossary")
  await h.toldPrivately(ADA, /Send this as a request/)
  await h.slack.as(ADA).mention(DOCS, "yes")
  await h.toldPrivately(ADA, /You have 2 requests queued/)
})

test("LIM-8: a follow-up that would wait for its turn counts like any request", async () => {
  const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }, plan: READY })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await h.botSays(/request is ready/, { thread: root.ts })
  await askForTwo(h)
  await h.slack.as(ADA).mention(DOCS, "and add an example", { thread: root.ts })
  await h.toldPrivately(ADA, /You have 2 requests queued/)
  await h.slack.as(BEN).mention(DOCS, "and a picture", { thread: root.ts })
  await h.botSays(/Updated acme/, { thread: root.ts })
})

test("a follow-up that was taken becomes a job of its own, however many wait", async () => {
  const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await h.botSays(/Working on it/, { thread: root.ts })
  await askForTwo(h)
  await h.botSays(/fix the first page/)
  await h.botSays(/fix the second page/)
  const card = await h.cardOfWaiting(ADA, root, "and add an example")
  await h.slack.as(ADA).click(card, "start_separately")
  await h.botSays(/add an example\n.*\n3rd in line/, { thread: root.ts })
})

test("a record that somebody deleted by hand counts no longer once its turn has come", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
  await askForTwo(h)
  const { store, settings, jobs } = h.services.front
  for (const { job } of await jobs.ofUser(ADA)) await store.redis.del(jobKeys.record(job.id))
  const { wait } = queueKeys(settings.projects.keys[0] ?? "")
  await expect.poll(() => store.redis.zcard(wait)).toBe(0)
  for (const page of ["third", "fourth"])
    expect((await ask(h, `fix the ${page} page`)).shown).toBeUndefined()
  expect((await ask(h, "fix the fifth page")).shown?.text).toMatch(/You have 2 requests queued/)
  await h.botSays(/fix the fourth page/)
})
