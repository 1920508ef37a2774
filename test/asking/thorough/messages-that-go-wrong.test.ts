import { expect, onTestFinished, vi } from "vitest"
import { SEND_WITHIN_MS } from "../../../src/limit/start-rounds.ts"
import { useAnswered } from "../../helpers/answered.ts"
import { FAST_TIMING } from "../../helpers/test-bed.ts"
import { ADA, BEN, buttonsOf, DOCS } from "../../sandbox/slack/index.ts"

const { test, answered } = useAnswered()

const PAUSES = { firstMs: 200, outageFirstMs: 200, longestMs: 2_000 }

test("messages whose answer never came are not repeated by themselves, and can be run again", async () => {
  const { h, say, job } = await answered({ timing: { pauses: PAUSES } })
  h.docs.fail({ type: "reset", when: "after", kind: "message", times: 1 })
  await say("shorten it a bit")
  const card = await h.botSays(/requested a docs change[\s\S]*Couldn't confirm/)
  expect(h.docs.job(job.id)?.messages).toHaveLength(1)
  await h.slack.as(ADA).click(card, "run_again")
  await h.docsUntil((docs) => docs.job(job.id)?.messages.length === 2)
  expect(h.docs.creations).toHaveLength(1)
})

test("words that the service refuses are not quoted to it with those that follow", async (h) => {
  h.docs.fail({ type: "status", status: 403, error: "Blocked words", kind: "create", times: 1 })
  const { say, says } = await h.startThread("write the blocked words")
  await says(/Blocked words/)
  await say("write the guide")
  expect(await h.promptsSent()).toEqual(["write the guide"])
})

test.each([
  [403, "warn"],
  [404, "info"],
])("messages that get a %d become a job at once, logged at %s", async (status, level) => {
  const { h, say } = await answered({ env: { LOG_LEVEL: "info" } })
  h.docs.fail({ type: "status", status, kind: "message", times: 1 })
  await say("shorten it a bit")
  await h.docsUntil((docs) => docs.creations.length === 2)
  const failed = h.logged.filter(({ msg }) => msg === "service request failed")
  expect(failed).toMatchObject([{ operation: "message", status, level }])
})

test("ASK-22: an edit that finds no room leaves the failed follow-up as it was, to be run again", async () => {
  const env = { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0", MAX_QUEUED_PER_USER: "1" }
  const { h, root, say } = await answered({ env }, { followUp: { ending: "failed", afterMs: 20 } })
  await say("name host-7.internal too")
  const failed = await h.botSays(/finish the update/, { thread: root.ts })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the first page")
  const waits = await h.botSays(/fix the first page/)
  await h.slack.as(ADA).click(failed, "edit_and_run")
  await h.slack.as(ADA).submitModal({ prompt: "name the host too" })
  await h.toldPrivately(ADA, /You have 1 request queued/)
  await h.slack.as(ADA).click(waits, "cancel")
  await h.botSays(/Cancelled/)
  await h.slack.as(ADA).click(failed, "run_again")
  await h.botSays(/next in line/, { thread: root.ts })
})

test("ASK-22: an edit of a failed follow-up goes to no newer pull request of its thread", async () => {
  const { h, root, say } = await answered({}, { followUp: { ending: "failed", afterMs: 20 } })
  await say("name host-7.internal too")
  const failed = await h.botSays(/finish the update/, { thread: root.ts })
  await say("add one example more")
  await h.botSaysTimes(2, /request is ready/)
  await h.slack.as(ADA).click(failed, "edit_and_run")
  await h.slack.as(ADA).submitModal({ prompt: "name the host too" })
  const [, newer, edited] = await h.promptsSent(3)
  expect(newer).toContain("> name host-7.internal too")
  expect(edited).toMatch(/^name the host too\n[\s\S]*> write the guide/)
  expect(edited).not.toMatch(/host-7|example/)
  await h.botSaysTimes(3, /request is ready/)
})

test("ASK-22: an edit replaces the words that *Run again* moved to a new job while the form was open", async () => {
  const env = { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }
  const { h, root, say } = await answered({ env })
  h.docs.fail({ type: "status", status: 400, error: "Too late", kind: "message", times: 1 })
  await say("name host-7.internal too")
  const card = await h.botSays(/requested a docs change[\s\S]*Too late/)
  await h.slack.as(ADA).click(card, "edit_and_run")
  await h.slack.until((s) => s.modal(ADA))
  await h.slack.as(ADA).click(card, "run_again")
  await h.botSays(/host-7[\s\S]*next in line/, { thread: root.ts })
  await h.slack.as(ADA).submitModal({ prompt: "name the host too" })
  await h.botSays(/name the host too[\s\S]*next in line/, { thread: root.ts })
  expect(await h.services.front.jobs.ofUser(ADA)).toHaveLength(2)
})

test.each(["run_again", "edit_and_run"])(
  "messages that the service refuses become a job by %s, and leave nothing to run again",
  async (action) => {
    const { h, say } = await answered()
    h.docs.fail({ type: "status", status: 400, error: "Too late", kind: "message", times: 1 })
    await say("shorten it a bit")
    const card = await h.botSays(/requested a docs change[\s\S]*Too late/)
    await h.slack.as(ADA).click(card, action)
    if (action === "edit_and_run") await h.slack.as(ADA).submitModal({ prompt: "shorten it" })
    expect((await h.promptsSent(2))[1]).toContain("> write the guide")
    await h.slack.until(() => !h.botMessages().flatMap(buttonsOf).includes("run_again"))
  },
)

test("messages that the service no longer takes when they are run again become a job with a card of its own", async () => {
  const { h, root, say } = await answered({ timing: { pauses: PAUSES } })
  h.docs.fail({ type: "reset", when: "after", kind: "message", times: 1 })
  await say("shorten it a bit")
  const card = await h.botSays(/requested a docs change[\s\S]*Couldn't confirm/)
  h.docs.fail({ type: "status", status: 404, kind: "message", times: 1 })
  await h.slack.as(ADA).click(card, "run_again")
  expect((await h.promptsSent(2))[1]).toContain("> write the guide")
  const found = await h.services.front.jobs.inThread(DOCS, root.ts)
  expect(found.map(({ job }) => job.card)).toEqual([expect.not.stringMatching(card.ts), card.ts])
})

test("messages that become a job go on before cards that nobody waits for are edited", async () => {
  const rates = { ...FAST_TIMING.rates, edit: [3_600_000, 7] } as const
  const { h, say } = await answered({
    docs: { absent: { message: 404 } },
    timing: { ...FAST_TIMING, rates },
  })
  await say("shorten it a bit")
  await h.docsUntil((docs) => docs.creations.length === 2)
})

test("messages are not sent with a grant that grew old while the store answered", async () => {
  vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const { h, say, job } = await answered()
  const { jobs, docs: service } = h.services.work
  const { messages } = h.services.metrics
  const putBack = async () =>
    (await messages.get()).values.some(({ labels }) => labels.outcome === "put_back")
  const offersMessages = service.deployment.offersMessages.bind(service.deployment)
  service.deployment.offersMessages = async (project) => {
    const [found] = await jobs.ofUser(ADA)
    if (found?.job.state === "creating" && !(await putBack()))
      vi.setSystemTime(Date.now() + 2 * SEND_WITHIN_MS)
    return offersMessages(project)
  }
  await say("shorten it a bit")
  await h.docsUntil((docs) => docs.job(job.id)?.messages.length === 1)
  expect(await putBack()).toBe(true)
})

// The service's document omits how soon a job turns active and what a response contains.
test("messages that end at once are reported in the ordinary time, though the answer says nothing", async () => {
  const followUp = { ending: "pull_request", afterMs: 600 } as const
  const { h, say, job } = await answered({}, { followUp })
  const empty = { status: 200, body: "empty", when: "after" } as const
  h.docs.fail({ type: "status", ...empty, kind: "message", times: 1 })
  await say("shorten it a bit")
  await h.docsUntil((docs) => docs.job(job.id)?.messages.length === 1)
  await h.botSays(/Updated/)
})

test("ASK-14: a verb is about one's own request, however many of others the thread has had since", async () => {
  const { h, say } = await answered({ env: { DOCS_MESSAGE_PATH: "off" } })
  for (let n = 1; n <= 20; n += 1) {
    await say(`link page ${n} from the guide`, BEN)
    await h.botSaysTimes(n + 1, /request is ready/)
  }
  await say("status")
  await h.toldPrivately(ADA, /write the guide/)
})
