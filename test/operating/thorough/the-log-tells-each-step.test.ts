import { expect } from "vitest"
import { askUntil } from "../../helpers/asked.ts"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, CLEO, DOCS, LEADS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { LOG_LEVEL: "info" } })

const story = ({ logged }: Bed, job: unknown) =>
  logged.filter((line) => line.job === job).map(({ msg }) => msg)

test("from a command to its closing reply every line leads to the next", async (h) => {
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await askUntil(h, "fix the quickstart", /request is ready/)
  await h.slack.until(() => h.logged.some(({ msg }) => msg === "closing reply posted"))

  const delivered = h.logged.find(({ entry }) => entry === "/docs-agent")
  const accepted = h.logged.find(({ msg }) => msg === "request accepted")
  expect(delivered).toMatchObject({ outcome: "acked", user: ADA })
  expect(accepted).toMatchObject({ outcome: "queued", user: ADA, channel: DOCS })
  expect(accepted?.delivery).toBe(`command:${String(delivered?.slack)}`)
  expect(story(h, accepted?.job)).toEqual([
    "request accepted",
    "card posted",
    "job started",
    "job ended",
    "closing reply posted",
  ])
  expect(h.logged.find(({ agentJobId }) => agentJobId)?.agentJobId).toBe(h.docs.creations[0]?.jobId)
})

test("a mention's job carries Slack's event id and the message, and a click what was clicked", async (h) => {
  const post = await h.slack.as(ADA).mention(DOCS, "fix the quickstart")
  await h.slack.as(ADA).click(await h.botSays(/Working on it/), "mute")
  const delivered = h.logged.find(({ entry }) => entry === "app_mention")
  const accepted = h.logged.find(({ msg }) => msg === "request accepted")
  expect(delivered?.message).toBe(`${DOCS}:${post.ts}`)
  expect(accepted?.slack).toBe(delivered?.slack)
  expect(String(accepted?.slack)).toMatch(/^Ev/)
  await h.slack.until(() => h.logged.some(({ entry }) => entry === "action"))
  expect(h.logged.find(({ entry }) => entry === "action")).toMatchObject({
    action: "mute",
    user: ADA,
    outcome: "acked",
  })
})

test("a creation whose outcome is not known is a warning, with what went wrong", async (h) => {
  h.docs.fail({ type: "reset", when: "after", kind: "create", times: 1 })
  await askUntil(h, "start over in the guide", /Couldn't confirm/)
  const job = h.logged.find(({ msg }) => msg === "request accepted")?.job
  expect(h.logged.find(({ outcome }) => outcome === "unknown")).toMatchObject({
    level: "warn",
    job,
    project: "docs",
    error: { name: "DocsError", cause: { code: expect.stringMatching(/^(UND_ERR|ECONN)/) } },
  })
})

test("a permission that the token lacks is a warning, a channel without the bot is none", async (h) => {
  const failed = () => h.logged.filter(({ msg }) => msg === "Slack call failed")
  expect(await h.services.work.slack.places.isInside(LEADS)).toBe(false)
  expect(failed()).toEqual([])
  h.slack.fail({ kind: "error", error: "missing_scope", method: "conversations.history" })
  await h.services.work.slack.places.isInside(DOCS)
  expect(failed()).toMatchObject([{ method: "conversations.history", outcome: "missing_scope" }])
})

test("a creation that is not accepted is a warning, with the pause that it leads to, and an admin who resumes the queue is named", async () => {
  const h = await testBed({ env: { ADMIN_USERS: CLEO } })
  const asked = (words: string) => h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
  async function pausedBy(status: number, reason: string) {
    const warning = { level: "warn", status }
    await expect
      .poll(() => h.logged.findLast(({ msg }) => /not accepted; queue paused/.test(msg)))
      .toMatchObject({ ...warning, reason, project: "docs" })
    const ofCreations = h.logged.filter(({ operation }) => operation === "create_job")
    expect(ofCreations.at(-1)).toMatchObject({ ...warning, msg: "service request failed" })
  }
  const broken = h.docs.fail({ type: "expired_key", kind: "create" })
  await asked("fix the quickstart")
  await pausedBy(401, "key_refused")
  const notice = await h.slack.until(() => h.direct(CLEO)[0])
  broken.clear()
  await h.slack.as(CLEO).click(notice, "resume")
  await expect
    .poll(() => h.logged.find(({ msg }) => msg === "queue resumed by an admin"))
    .toMatchObject({ level: "info", user: CLEO, project: "docs" })
  await h.docsUntil(({ creations }) => creations.length === 1)
  h.docs.fail({ type: "rate_limited", retryAfter: 9, kind: "create" })
  await asked("fix the links")
  await pausedBy(429, "rate_limited")
})
