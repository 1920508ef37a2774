import { expect } from "vitest"
import { botMessages, botSays, buttonsOf, closingReply, toldPrivately } from "../helpers/reading.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

const ask = ({ slack }: Bed, text: string) => slack.as(ADA).slash(DOCS, "/docs-agent", text)

// "A client polls until the status is completed, archived or failed": until then it is active.
test.each(["queued", "in_progress", ""])(
  "a job that is reported as %j is followed, from its creation on",
  async (status) => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    h.docs.fail({ type: "field", path: "status", value: status, kind: "create" })
    h.docs.fail({ type: "field", path: "status", value: status, kind: "get", times: 2 })
    await ask(h, "an odd status here")
    expect((await closingReply(h)).text).toMatch(/request is ready/)
    expect(h.docs.creations).toHaveLength(1)
  },
)

test("a job that ended without a link, turns active and ends with one tells it when it is checked again", async (h) => {
  h.docs.planAll({ ending: "no_pull_request", afterMs: 20 })
  await ask(h, "a late link here")
  const reply = await closingReply(h)
  expect(buttonsOf(reply)).toEqual(["look_again", "run_again", "edit_and_run"])
  h.docs.fail({ type: "field", path: "status", value: "active", kind: "get", times: 3 })
  h.docs.setPrLink(h.docs.creations[0]?.jobId ?? "", "https://github.com/acme/docs/pull/9")
  await h.slack.as(ADA).click(reply, "look_again")
  const late = await botSays(h, /request is ready/, { thread: reply.threadTs })
  expect(late.text).toContain("https://github.com/acme/docs/pull/9")
  expect(h.docs.creations).toHaveLength(1)
})

test("FOL-13: looking for a pull request where there is none is answered privately, and nobody is pinged", async (h) => {
  h.docs.planAll({ ending: "no_pull_request", afterMs: 20 })
  await ask(h, "no link here")
  const reply = await closingReply(h)
  const before = botMessages(h.slack).map(({ ts }) => ts)
  const press = () => h.slack.as(ADA).click(reply, "look_again")
  await press()
  await toldPrivately(h, ADA, /No pull request found/)
  h.docs.fail({ type: "status", status: 503, kind: "get", times: 1 })
  await press()
  await toldPrivately(h, ADA, /Couldn't check right now/)
  h.docs.fail({ type: "status", status: 404, kind: "get", times: 1 })
  await press()
  expect(botMessages(h.slack).map(({ ts }) => ts)).toEqual(before)
})

test("FOL-3: polls that fail in every way say nothing in the thread", async (h) => {
  h.docs.planAll({ ending: "pull_request", afterMs: 0 })
  for (const body of ["html", "empty", "malformed", "error"] as const)
    h.docs.fail({ type: "status", status: 503, body, kind: "get", times: 1 })
  h.docs.fail({ type: "rate_limited", kind: "get", times: 1 })
  h.docs.fail({ type: "reset", kind: "get", times: 1 })
  await ask(h, "a stormy one here")
  expect((await closingReply(h)).text).toMatch(/request is ready/)
  expect(botMessages(h.slack)).toHaveLength(2)
})
