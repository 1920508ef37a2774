import { expect, test } from "vitest"
import { botMessages, botSays, buttonsOf, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import type { JobPlan } from "../../sandbox/docs-service/agent-job.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed()

const PLAN = { ending: "pull_request", afterMs: 20 } as const

/** A thread whose first request has ended with a pull request. */
async function answered(more: Parameters<typeof testBed>[0] = {}, plan: JobPlan = PLAN) {
  const h = await testBed(more)
  h.docs.planAll(plan)
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /request ready/, { thread: root.ts })
  const [creation] = h.docs.creations
  const job = h.docs.job(creation?.jobId ?? "")
  if (!job) throw new Error("The first request made no job")
  return { h, root, job, link: job.prLink ?? "?" }
}

/** The words of the messages that the service took, over all its jobs. */
function messages({ docs }: TestBed): string[] {
  return docs
    .jobs("docs-site")
    .flatMap((job) => job.messages)
    .toSorted((a, b) => a.at - b.at)
    .map(({ prompt }) => prompt)
}

const closings = (h: TestBed) =>
  botMessages(h.slack).filter(
    ({ text, threadTs }) => threadTs && /^<@\w+> Pull request ready: acme/.test(text),
  )

const requests = ({ docs }: TestBed, kind: string) =>
  docs.requests.filter((request) => request.kind === kind)

test("changes the same pull request by a message, and its card says which one that is", async () => {
  const { h, root, job, link } = await answered()
  await h.slack.as(BEN).post(DOCS, "new talk", { thread: root.ts })
  await h.slack.as(BEN).mention(DOCS, "shorten it", { thread: root.ts })
  const card = await botSays(h, /shorten it/)
  expect(JSON.stringify(card.blocks)).toMatch(/Follow-up to <[^|]+\|acme\/docs#214[^>]*>/)
  await h.slack.until(() => closings(h).length === 2 || undefined)
  expect(h.docs.creations).toHaveLength(1)
  const [message = ""] = messages(h)
  expect(message).toContain("> ben: new talk")
  expect(message.endsWith("\n\nshorten it")).toBe(true)
  expect(message).not.toContain("write the guide")
  const last = closings(h).at(-1)
  expect(last?.threadTs).toBe(root.ts)
  expect(last?.text).toContain(link)
  // The first reply said so of the same pull request.
  expect(closings(h).map(({ text }) => text.includes("Review it before"))).toEqual([true, false])
  expect(h.docs.job(job.id)?.messages).toHaveLength(1)
})

test("several in a row go to the same job, one after the other", async () => {
  const { h, root, job } = await answered()
  for (const words of ["first", "second"]) {
    await h.slack.as(ADA).mention(DOCS, words, { thread: root.ts })
    const before = closings(h).length
    await h.slack.until(() => closings(h).length > before || undefined)
  }
  expect(h.docs.job(job.id)?.messages.map(({ prompt }) => prompt.split("\n").at(-1))).toEqual([
    "first",
    "second",
  ])
})

test("is a new job where messages are turned off", async () => {
  const { h, root, link } = await answered({ env: { DOCS_MESSAGE_PATH: "off" } })
  await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
  await docsUntil(h, (docs) => docs.creations.length === 2)
  expect(h.docs.creations[1]?.prompt).toContain(link)
  expect(requests(h, "message")).toEqual([])
})

test.each([404, 405, 403, 501] as const)(
  "is a new job with the whole earlier request where messages answer %i, which is remembered",
  async (absent) => {
    const { h, root, link } = await answered({ docs: { absent: { message: absent } } })
    await h.slack.as(BEN).post(DOCS, "new talk", { thread: root.ts })
    await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
    await docsUntil(h, (docs) => docs.creations.length === 2)
    const prompt = h.docs.creations[1]?.prompt ?? ""
    expect(prompt).toContain("> write the guide")
    expect(prompt).toContain(link)
    expect(prompt).toContain("> ben: new talk")
    expect(prompt.endsWith("\n\nshorten it")).toBe(true)
    await h.slack.until(() => closings(h).length === 2 || undefined)
    const card = await botSays(h, /shorten it[\s\S]*Pull request ready/)
    expect(JSON.stringify(card.blocks)).not.toContain("Follow-up to")
    await h.slack.as(ADA).mention(DOCS, "one example more", { thread: root.ts })
    await docsUntil(h, (docs) => docs.creations.length === 3)
    expect(requests(h, "message")).toHaveLength(1)
  },
)

test("a job that is gone says nothing about messages: the next follow-up is one again", async () => {
  const { h, root } = await answered()
  h.docs.fail({ type: "status", status: 404, kind: ["message", "get"], times: 2 })
  await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
  await docsUntil(h, (docs) => docs.creations.length === 2)
  await h.slack.until(() => closings(h).length === 2 || undefined)
  await h.slack.as(ADA).mention(DOCS, "one example more", { thread: root.ts })
  await docsUntil(h, (docs) => docs.jobs("docs-site").some((job) => job.messages.length > 0))
  expect(h.docs.creations).toHaveLength(2)
})

test("takes no slot of the hour of jobs, and has an hour of the same size", async () => {
  const env = { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }
  const { h, root, job } = await answered({ env })
  await h.slack.as(ADA).mention(DOCS, "first", { thread: root.ts })
  await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 1)
  await h.slack.until(() => closings(h).length === 2 || undefined)
  await h.slack.as(ADA).mention(DOCS, "second", { thread: root.ts })
  const card = await botSays(h, /second[\s\S]*Next in line/)
  expect(buttonsOf(card)).toEqual(["cancel"])
  await h.slack.as(ADA).mention(DOCS, "cancel", { thread: root.ts })
  await botSays(h, /second[\s\S]*Cancelled before it started/)
  expect(messages(h)).toHaveLength(1)
})

test("a refusal for now holds back messages alone, which go on by themselves", async () => {
  const { h, root, job } = await answered({ timing: { pauses: PAUSES } })
  h.docs.fail({ type: "rate_limited", retryAfter: { seconds: 3 }, kind: "message", times: 1 })
  await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
  await botSays(h, /shorten it[\s\S]*limit/)
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "something else")
  await docsUntil(h, (docs) => docs.creations.length === 2)
  expect(h.docs.job(job.id)?.messages).toHaveLength(0)
  await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 1)
  expect(h.docs.creations).toHaveLength(2)
})

test("a refused key pauses the project, of which admins hear once, and Resume starts both queues", async () => {
  const { h, root, job } = await answered({ env: { ADMIN_USERS: CLEO } })
  const fault = h.docs.fail({ type: "expired_key", kind: ["message", "create"] })
  await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
  await botSays(h, /shorten it[\s\S]*rejected the API key/)
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "something else")
  await botSays(h, /something else[\s\S]*rejected the API key/)
  expect(fault.hits).toBe(1)
  fault.clear()
  const notice = await h.slack.until((s) => {
    const im = s.channels().find((c) => c.kind === "im" && c.members.has(CLEO))
    const [told, ...more] = im ? botMessages(s, im.id) : []
    return told && more.length === 0 ? told : undefined
  })
  await h.slack.as(CLEO).click(notice, "resume")
  await docsUntil(
    h,
    (docs) => docs.creations.length === 2 && docs.job(job.id)?.messages.length === 1,
  )
})

test("one whose answer never came is not repeated by itself, and can be run again", async () => {
  const { h, root, job } = await answered({ timing: { pauses: PAUSES } })
  h.docs.fail({ type: "reset", when: "after", kind: "message", times: 1 })
  await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
  const card = await botSays(h, /shorten it[\s\S]*couldn't confirm/)
  expect(h.docs.job(job.id)?.messages).toHaveLength(1)
  await h.slack.as(ADA).click(card, "run_again")
  await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 2)
  expect(h.docs.creations).toHaveLength(1)
})

// The service's document leaves open how soon the job turns active, and what a message's answer says.
test("an ending that comes at once is told within the ordinary time, though the answer says nothing", async () => {
  const followUp = { ending: "pull_request", afterMs: 600 } as const
  const { h, root, job } = await answered({}, { ...PLAN, followUp })
  h.docs.fail({
    type: "status",
    status: 200,
    body: "empty",
    when: "after",
    kind: "message",
    times: 1,
  })
  await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
  await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 1)
  // Given up on long before the bot would believe an ending that it cannot tell from the old one.
  await h.slack.until(() => closings(h).length === 2 || undefined, { timeoutMs: 10_000 })
})

test("one that the service refuses is asked as a job when it is tried again", async () => {
  const { h, root } = await answered()
  h.docs.fail({ type: "status", status: 400, error: "Too late", kind: "message", times: 1 })
  await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
  const card = await botSays(h, /shorten it[\s\S]*Too late/)
  await h.slack.as(ADA).click(card, "try_again")
  await docsUntil(h, (docs) => docs.creations.length === 2)
  expect(h.docs.creations[1]?.prompt).toContain("> write the guide")
})

test("to a job that was archived it is a new job", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "archived", afterMs: 20 })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /Archived/, { thread: root.ts })
  await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: root.ts })
  await docsUntil(h, (docs) => docs.creations.length === 2)
  expect(requests(h, "message")).toEqual([])
})

test("waits for nothing but its own queue: `status` tells its place", async () => {
  const env = { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }
  const { h, root, job } = await answered({ env })
  await h.slack.as(ADA).mention(DOCS, "first", { thread: root.ts })
  await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 1)
  await h.slack.until(() => closings(h).length === 2 || undefined)
  await h.slack.as(ADA).mention(DOCS, "second", { thread: root.ts })
  await botSays(h, /second[\s\S]*Next in line/)
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
  const status = await toldPrivately(h, ADA, /second/)
  expect(status.text).toMatch(/second[^\n]*next in line/)
})

const PAUSES = { firstMs: 200, outageFirstMs: 200, longestMs: 2_000 }
