import { expect } from "vitest"
import { key } from "../../../src/store/redis-keys.ts"
import { type Bed, FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { BEN, BEN_DM, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { ADMIN_USERS: BEN, LOG_LEVEL: "warn" } })

const say = ({ slack }: Bed, command: string, text: string) =>
  slack.as(BEN).slash(DOCS, command, text)

const failed = ({ logged }: Bed) =>
  logged.filter(({ msg }) => msg === "handling a Slack request failed")

test("an audit that Slack does not take, or that cannot be read from the store, is told, and stands in the log", async () => {
  const h = await testBed({ goesOn: "the audit stays broken" })
  const method = "files.getUploadURLExternal"
  h.slack.fail({ kind: "error", error: "missing_scope", method, times: 1 })
  expect((await say(h, "/docs-agent", "audit")).shown?.text).toMatch(/^Preparing the audit log/)
  await h.toldPrivately(BEN, /rejected the file \(.?missing_scope/)
  expect(failed(h)).toMatchObject([{ level: "error", entry: "/docs-agent" }])

  await h.services.workerRedis.set(key("audit"), "in the way")
  await say(h, "/docs-agent", "audit")
  await h.toldPrivately(BEN, /Something went wrong/)
  const error = { message: expect.stringContaining("WRONGTYPE"), key: key("audit") }
  expect(failed(h)).toMatchObject([{}, { error }])
})

test("a doctor's answer that Slack does not take is reported, directly where the command can no longer be answered", async (h) => {
  h.slack.fail({ kind: "error", error: "expired_url", method: "response_url", times: 1 })
  await say(h, "/docs-agent", "doctor")
  await h.toldPrivately(BEN, /couldn't answer here/)
  expect(failed(h)).toHaveLength(1)
  h.slack.fail({ kind: "error", error: "used_url", method: "response_url" })
  await say(h, "/docs-agent", "doctor")
  await h.botSays(/couldn't answer here/, { channel: BEN_DM })
})

test("work that takes long is said to, and its answer still comes", async () => {
  const h = await testBed({
    timing: { ...FAST_TIMING, workWithinMs: 50 },
    env: { DOCS_TIMEOUT_MS: "1000" },
  })
  h.docs.fail({ type: "hang" })
  await say(h, "/docs-agent", "doctor")
  await h.toldPrivately(BEN, /taking longer than usual/)
  expect(
    h.logged.find(({ msg }) => msg === "handling a Slack request is taking longer than expected"),
  ).toMatchObject({
    entry: "/docs-agent",
  })
  await h.toldPrivately(BEN, /1 problem/)
})

test("a visitor report that Slack shows without confirming it is reported as that", async (h) => {
  h.slack.fail({ kind: "reset", when: "after", method: "response_url", times: 1 })
  await say(h, "/docs-visitors", "yesterday")
  await h.toldPrivately(BEN, /didn't confirm my answer.* If nothing appears here, try again/)
  expect(h.slack.ephemerals(BEN).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Docs visitors/),
    expect.not.stringMatching(/couldn't answer/),
  ])
  expect(failed(h)).toMatchObject([{ level: "error", entry: "/docs-visitors" }])
})
