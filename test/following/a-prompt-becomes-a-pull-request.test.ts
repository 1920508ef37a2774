import { expect } from "vitest"
import { DAY_MS } from "../../src/lib/time.ts"
import { ask } from "../helpers/asked.ts"
import { readyz } from "../helpers/of-itself.ts"
import { joined } from "../helpers/restarted.ts"
import { READY, useTestBed } from "../helpers/test-bed.ts"
import { cardSays } from "../helpers/with-pull.ts"
import { ADA, buttonsOf, type LocalSlack } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()
/** Polls come soon, also after one that failed. */
const OFTEN = { POLL_MAX_MS: "50" }

test("ASK-2, FOL-12: a prompt becomes a pull request in the thread, which is on the card at once while the agent still works, and stays", async (h) => {
  h.docs.planAll({ ending: "never", afterMs: 0, prAfterMs: 10 })

  const asked = await ask(h, "fix the quickstart")

  expect(asked.shown).toBeUndefined()
  const shown = await cardSays(h, /Working on it.*may still change/s)
  expect(buttonsOf(shown)).toEqual(["view_pull_request", "mute"])
  const [only] = h.docs.creations
  expect(only?.prompt).toBe("fix the quickstart")
  h.docs.fail({ type: "field", name: "prLink", value: null, kind: "get" })
  h.finish("pull_request")
  const reply = await h.closingReply()
  expect(reply.text).toMatch(/Your pull request is ready: acme\/docs#\d+/)
  expect(JSON.stringify(reply.blocks)).toContain(h.docs.job(only?.jobId ?? "")?.prLink)
  await cardSays(h, /Pull request ready/)
})

test("FOL-18: a job that never ends is no longer looked after, and can be looked up again", async () => {
  const h = await testBed({ env: OFTEN })
  await ask(h, "hang about forever")
  const shown = await cardSays(h, /Working on it/)
  await h.startedEarlier(DAY_MS)
  expect((await h.closingReply()).text).toMatch(/Still running when last checked · started/)
  await cardSays(h, /Still running when last checked · started/)
  h.finish("pull_request")
  await h.slack.as(ADA).click(shown, "look_again")
  await h.botSays(/request is ready/, { thread: shown.ts })
})

test("FOL-3: a job the service no longer knows is gone after the second 404", async (h) => {
  await ask(h, "make it vanish")
  await h.docsUntil(({ requests }) => requests.some(({ kind }) => kind === "get"))
  h.docs.fail({ type: "status", status: 404, kind: "get" })
  expect((await h.closingReply()).text).toMatch(/Not found in the documentation service/)
})

test("signs, other scripts, mentions, lines and 40,000 characters reach the service as typed", async () => {
  const typed = [
    "compare a < b && b > c, &lt; stays",
    "<!channel> @here <@U0BEN00001> is plain text",
    "Überschrift 👩‍💻 \u202eright to left\u202c עברית",
    "two\nlines\tand a tab",
    "é é ".repeat(10_000).trim().padEnd(40_000, "é"),
  ]
  const h = await testBed()
  for (const prompt of typed) await ask(h, prompt)
  expect(await h.promptsSent(typed.length)).toEqual(typed)
})

test("ASK-1: the ack does not wait for the service", async () => {
  const h = await testBed({ goesOn: "the service hangs" })
  h.docs.fail({ type: "hang", kind: "create" })
  const asked = await ask(h, "document the timeouts")
  expect(asked.error).toBeUndefined()
  expect(asked.shown).toBeUndefined()
})

test("a revoked token: a clear private answer that keeps the request, nothing spent, readiness says so, and what was accepted before is told once it works again", async (h) => {
  await ask(h, "ask before that")
  await cardSays(h, /Working on it/)
  h.slack.revokeToken()
  await h.services.slack.state.refresh().catch(() => {})

  const asked = await ask(h, "ask after that")

  expect(asked.shown?.text).toMatch(/Slack rejected my token.*ask after that/s)
  expect(asked.shown && buttonsOf(asked.shown)).toEqual(["open_draft"])
  const says = expect.stringContaining("token_revoked")
  expect(await readyz(h.bot)).toMatchObject({ status: 503, text: says })
  h.finish("pull_request")
  const posts = (s: LocalSlack) => s.calls.filter(({ method }) => method === "chat.postMessage")
  await h.slack.until((s) => posts(s).some(({ error }) => error === "token_revoked"))
  h.slack.revokeToken("active")
  // Makes the next try due now instead of in half a minute.
  await h.hasten("outbox")
  expect((await h.closingReply()).text).toMatch(/request is ready/)
  expect(h.docs.creations).toHaveLength(1)
})

test("FOL-1: polls of one job never overlap, though two workers look and the service is slow", async () => {
  const h = await testBed({ env: OFTEN })
  await using _ = await joined(h, { env: OFTEN })
  // Longer than the longest wait between two polls.
  h.docs.fail({ type: "delay", ms: 100, kind: "get" })
  const polls = () => h.docs.requests.filter(({ kind }) => kind === "get")

  await ask(h, "fix the quickstart page")
  await h.docsUntil(() => polls().length >= 4)

  const overlaps = polls().filter(({ at }, n, all) => {
    const before = all[n - 1]
    return before !== undefined && at < before.at + before.ms
  })
  expect(overlaps).toEqual([])
})

test("FOL-13: looking for a pull request where there is none is answered privately, and nobody is pinged; a late one is told", async (h) => {
  h.docs.planAll({ ending: "no_pull_request", afterMs: 20 })
  await ask(h, "a late link here")
  const reply = await h.closingReply()
  expect(buttonsOf(reply)).toEqual(["look_again", "run_again", "edit_and_run"])
  const before = h.botMessages().map(({ ts }) => ts)
  const press = () => h.slack.as(ADA).click(reply, "look_again")
  await press()
  await h.toldPrivately(ADA, /No pull request found/)
  h.docs.fail({ type: "status", status: 503, kind: "get", times: 1 })
  await press()
  await h.toldPrivately(ADA, /Couldn't check right now/)
  h.docs.fail({ type: "status", status: 404, kind: "get", times: 1 })
  await press()
  expect(h.botMessages().map(({ ts }) => ts)).toEqual(before)

  h.docs.fail({ type: "field", name: "status", value: "active", kind: "get", times: 3 })
  h.docs.setPrLink(h.docs.creations[0]?.jobId ?? "", "https://github.com/acme/docs/pull/9")
  await press()
  const late = await h.botSays(/request is ready/, { thread: reply.threadTs })
  expect(late.text).toContain("https://github.com/acme/docs/pull/9")
  expect(h.docs.creations).toHaveLength(1)
})

test("FOL-3: polls that fail in every way or tell an odd status say nothing in the thread", async () => {
  const h = await testBed({ env: OFTEN, plan: READY })
  // "A client polls until the status is completed, archived or failed": until then it is active.
  h.docs.fail({ type: "field", name: "status", value: "queued", kind: "create" })
  for (const value of ["in_progress", ""])
    h.docs.fail({ type: "field", name: "status", value, kind: "get", times: 1 })
  for (const body of ["html", "empty", "malformed", "error"] as const)
    h.docs.fail({ type: "status", status: 503, body, kind: "get", times: 1 })
  h.docs.fail({ type: "rate_limited", kind: "get", times: 1 })
  h.docs.fail({ type: "reset", kind: "get", times: 1 })
  await ask(h, "a stormy one here")
  expect((await h.closingReply()).text).toMatch(/request is ready/)
  expect(h.botMessages()).toHaveLength(2)
})
