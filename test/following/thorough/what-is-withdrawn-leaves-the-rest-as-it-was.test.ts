import { expect } from "vitest"
import { ask, waiting } from "../../helpers/asked.ts"
import { cardSays, useFollowedPulls } from "../../helpers/with-pull.ts"
import { MovableClock } from "../../sandbox/kit/movable-clock.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useFollowedPulls()
/** One request of a person waits, for a minute. */
const ONE_WAITS = { env: { START_DELAY_SECONDS: "60", MAX_QUEUED_PER_USER: "1" } }

test("a retry does not start where as many wait already as may", async () => {
  const h = await testBed(ONE_WAITS)
  await ask(h, "write the guide")
  await h.slack.as(ADA).click(await cardSays(h, /Starting/), "cancel")
  const cancelled = await cardSays(h, /Cancelled before/)
  await ask(h, "fix the quickstart")
  await cardSays(h, /Starting/)
  await h.slack.as(ADA).click(cancelled, "run_again")
  await h.toldPrivately(ADA, /You have 1 request queued/)
  const found = await h.services.front.jobs.ofUser(ADA)
  expect(found.filter(({ job }) => job.state === "queued")).toHaveLength(1)
})

test("a rerun that is cancelled before its failure was told leaves what waits behind it", async (h) => {
  const { root, say } = await h.startThread()
  await h.cardOfWaiting(BEN, root, "say it in french please")
  const posts = h.slack.hold("chat.postMessage", { times: 1 })
  h.finish("failed")
  await h.untilState("ended")
  await h.pause("jobs")
  await say("retry", ADA)
  await h.untilState("queued")
  await say("cancel", ADA)
  posts.release()
  await h.resumeAll()
  const prompts = await h.promptsSent(2)
  expect(prompts[1]).toMatch(/^say it in french please\n[\s\S]*> write the guide/)
})

test("a follow-up that is cancelled lets people go on looking for a pull request, and running the first request again", async (h) => {
  h.docs.planAll({ ending: "no_pull_request", afterMs: 0 })
  await ask(h, "write the guide")
  const reply = await h.botSays(/Finished without a pull request[\s\S]*may have been/)
  await h.pause("jobs")
  await h.slack.as(BEN).mention(DOCS, "say it in french please", { thread: reply.threadTs })
  await h.slack.as(BEN).click(await cardSays(h, /Paused until/), "cancel")
  await cardSays(h, /Finished without/)
  await h.resumeAll()
  const polls = () => h.docs.requests.filter(({ kind }) => kind === "get").length
  const before = polls()
  await h.slack.as(ADA).click(reply, "look_again")
  await h.docsUntil(() => polls() > before)
  const again = await h.botSays(/Finished without a pull request[\s\S]*may have been/)
  await h.slack.as(ADA).click(again, "run_again")
  expect((await h.promptsSent(2))[1]).toBe("write the guide")
})

test("when the first of two in one prompt cancels theirs, the card and the thread's talk stay for the other one, who alone has something waiting", async () => {
  const clock = new MovableClock()
  const h = await testBed({ clock, ...ONE_WAITS })
  const root = await h.slack.as(CLEO).post(DOCS, "keys last 90 days")
  const { say, says } = h.inThread(root.ts)
  await say("use three examples there")
  const card = await says(/Starting/)
  await say("document what cleo said", ADA)
  await h.botShows("follow-up is included")
  await h.slack.as(BEN).click(card, "cancel", { index: 0 })
  await says(/ada requested a docs change: document/)
  expect((await ask(h, "quite another request", BEN)).shown).toBeUndefined()
  expect((await ask(h, "one more of mine", ADA)).shown?.text).toContain("You have 1 request")
  await waiting(h, 2)
  clock.moveOn(61_000)
  await says(new RegExp(`<@${ADA}> requested a docs change`))
  const prompts = await h.promptsSent(2)
  expect(prompts).toContainEqual(
    expect.stringMatching(/^document what cleo said\n[\s\S]*keys last 90 days/),
  )
})

test("the card names people beside their own words, also where those came from a form", async () => {
  const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
  h.docs.planAll({ ending: "failed", afterMs: 0 })
  const { say, says } = await h.startThread()
  await h.slack.as(ADA).click(await says(/couldn't finish/), "edit_and_run")
  await h.slack.until((s) => s.modal(ADA))
  await say("in french please")
  await says(/queued[\s\S]*Follow-up · asked by/)
  await h.slack.as(ADA).submitModal({ prompt: "make it shorter" })
  const card = await h.botShows("make it shorter")
  expect(JSON.stringify(card.blocks)).toContain(`<@${ADA}>'s follow-up is included: “make it`)
  // The words that were edited are gone, so the card is Ben's.
  expect(card.text).toMatch(/^ben requested a docs change: in french please$/m)
})
