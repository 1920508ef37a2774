import { describe, expect, test } from "vitest"
import { botMessages, botSays, buttonsOf, closingReply } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed()

const ask = ({ slack }: TestBed, text: string) => slack.as(ADA).slash(DOCS, "/docs-agent", text)

describe("odd answers of the service", () => {
  test.each([
    [
      "an HTML page for a success",
      { type: "status", status: 200, body: "html" },
      /Couldn't confirm/,
    ],
    ["an empty success", { type: "status", status: 201, body: "empty" }, /Couldn't confirm/],
    [
      "a status that it should not have",
      { type: "status", status: 418, body: "html" },
      /Rejected by the documentation service/,
    ],
    [
      "a 400 with its reason",
      { type: "status", status: 400, error: "prompt is too vague" },
      /Rejected.*prompt is too vague/,
    ],
    ["a missing id", { type: "missing_field", path: "id" }, /Couldn't confirm/],
    ["a 500", { type: "status", status: 500, body: "html" }, /Couldn't confirm/],
  ] as const)("%s gives a clear ending", async (_, fault, says) => {
    const h = await testBed()
    h.docs.fail({ ...fault, kind: "create", times: 1 })
    await ask(h, "an odd one here")
    expect((await closingReply(h)).text).toMatch(says)
  })

  test("an id with slashes and spaces is followed", async () => {
    const h = await testBed({ docs: { idFor: (n) => `a/b c%20/${n}?x=#` } })
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await ask(h, "an odd id here")
    expect((await closingReply(h)).text).toMatch(/request is ready/)
  })

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

  test("a poll's answer needs no id", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    h.docs.fail({ type: "missing_field", path: "id", kind: "get" })
    await ask(h, "one without a name")
    expect((await closingReply(h)).text).toMatch(/request is ready/)
  })

  test("a job that ended without a link, turns active and ends with one tells it when it is checked again", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "no_pull_request", afterMs: 20 })
    await ask(h, "a late link here")
    const reply = await closingReply(h)
    expect(buttonsOf(reply)).toEqual(["look_again", "run_again", "edit_and_run"])
    h.docs.fail({ type: "field", path: "status", value: "active", kind: "get", times: 2 })
    h.docs.setPrLink(h.docs.creations[0]?.jobId ?? "", "https://github.com/acme/docs/pull/9")
    await h.slack.as(ADA).click(reply, "look_again")
    const late = await botSays(h, /request is ready/, { thread: reply.threadTs })
    expect(late.text).toContain("https://github.com/acme/docs/pull/9")
    expect(h.docs.creations).toHaveLength(1)
  })

  test("a link that is no web address is told, not linked", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 0 })
    h.docs.fail({ type: "field", path: "prLink", value: "javascript:alert(1)", kind: "get" })
    await ask(h, "a bad link here")
    const reply = await closingReply(h)
    expect(reply.text).toMatch(/but its link can't be shown/)
    expect(JSON.stringify(reply.blocks)).not.toContain("javascript:")
  })

  test("a web address of more characters than Slack has room for is told as such, not linked", async () => {
    const h = await testBed()
    const long = `https://github.com/acme/docs/pull/7?${"x".repeat(2500)}`
    h.docs.planAll({ ending: "pull_request", afterMs: 0 })
    h.docs.fail({ type: "field", path: "prLink", value: long, kind: "get" })
    await ask(h, "a long link here")
    const reply = await closingReply(h)
    expect(reply.text).toMatch(/Pull request ready, but its link can't be shown/)
    expect(reply.text).not.toContain("xxx")
    expect(buttonsOf(reply)).not.toContain("view_pull_request")
  })

  test("polls that fail in every way say nothing in the thread", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 0 })
    for (const body of ["html", "empty", "malformed", "error"] as const)
      h.docs.fail({ type: "status", status: 503, body, kind: "get", times: 1 })
    h.docs.fail({ type: "rate_limited", kind: "get", times: 1 })
    h.docs.fail({ type: "reset", kind: "get", times: 1 })
    await ask(h, "a stormy one here")
    expect((await closingReply(h)).text).toMatch(/request is ready/)
    expect(botMessages(h.slack)).toHaveLength(2)
  })
})
