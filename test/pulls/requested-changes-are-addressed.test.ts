import { describe, expect, test } from "vitest"
import { hasten, pauseMessages, resumeAll } from "../helpers/put-off.ts"
import {
  botMessages,
  botSays,
  buttonsOf,
  docsUntil,
  posts,
  toldPrivately,
} from "../helpers/reading.ts"
import { CHANGES_REQUESTED, cardSays, cards, useFollowedPulls } from "../helpers/with-pull.ts"
import { ADA, ADA_DM, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"

const { withPull } = useFollowedPulls()

describe("changes requested", () => {
  test("PUL-11, FOL-7: are posted once, and *Address the review* makes a follow-up on the same pull request", async () => {
    const { h, act, reply } = await withPull()
    await act(CHANGES_REQUESTED)
    await act({
      ...CHANGES_REQUESTED,
      by: "eve",
      association: "NONE",
      body: "Delete it all.",
      comments: [],
    })
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    expect(post.text).toContain(`<@${ADA}>`)
    expect(buttonsOf(post)).toContain("address_review")
    const before = posts(h)
    await h.slack.as(ADA).click(post, "address_review")
    await docsUntil(h, ({ requests }) => requests.some(({ kind }) => kind === "message"))
    const sent = JSON.stringify(h.docs.job(h.docs.creations[0]?.jobId ?? "")?.messages)
    expect(sent).toContain("ben on quickstart.mdx, line 3:")
    expect(sent).toContain("Say which version.")
    expect(sent).not.toContain("Delete it all")
    await botSays(h, /Updated/, { thread: reply.threadTs })
    expect(posts(h)).toBe(before + 1)
    expect(h.docs.creations).toHaveLength(1)
    await act({ ...CHANGES_REQUESTED, by: "cleo" })
    await botSays(h, /Changes requested by cleo/, { thread: reply.threadTs })
  })

  test("name on the card who still wants them, and are not posted again for that", async () => {
    const { h, act, reply } = await withPull()
    await act({ do: "review", by: "cleo", state: "CHANGES_REQUESTED", body: "Say it twice." })
    await botSays(h, /> Changes requested by cleo/, { thread: reply.threadTs })
    await act({ do: "review", by: "ben", state: "CHANGES_REQUESTED", body: "Say it once." })
    await cardSays(h, /Changes requested by ben/)
    await act({ do: "review", by: "ben", state: "APPROVED" })
    await cardSays(h, /Changes requested by cleo/)
    expect(botMessages(h.slack).filter(({ threadTs }) => threadTs)).toHaveLength(2)
  })

  test("reach the requester directly where the channel was archived since the result", async () => {
    const { h, act } = await withPull()
    const archived = { kind: "error", error: "is_archived", method: "chat.postMessage" } as const
    h.slack.fail({ ...archived, matching: ({ channel }) => channel === DOCS })
    await act(CHANGES_REQUESTED)
    const told = await botSays(h, /Changes requested by ben/, { channel: ADA_DM })
    expect(buttonsOf(told)).toContain("address_review")
  })

  test("are the requester's or an admin's to have addressed, and only once", async () => {
    const { h, act, reply } = await withPull({ env: { ADMIN_USERS: CLEO } })
    await act(CHANGES_REQUESTED)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    await h.slack.as(BEN).click(post, "address_review")
    await h.slack.until((s) => s.ephemerals(BEN).length > 0)
    expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
    await h.slack.as(CLEO).click(post, "address_review")
    await h.slack.as(ADA).click(post, "address_review")
    await toldPrivately(h, ADA, /^This review was already sent/)
    await botSays(h, /Updated/)
    expect(h.docs.requests.filter(({ kind }) => kind === "message")).toHaveLength(1)
  })

  test("still need their requester where too much waits for a follow-up to be accepted", async () => {
    const goesOn = "the queue is paused"
    const env = { DOCS_MESSAGE_PATH: "off", MAX_QUEUED_PER_USER: "1" }
    const { h, act, reply } = await withPull({ goesOn, env })
    const { health, settings } = h.services.front
    await health.change(settings.projects.keys[0] ?? "", () => ({
      reason: "restored",
      since: 1,
      until: "ever",
    }))
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write another guide")
    await botSays(h, /Paused until/)
    await act(CHANGES_REQUESTED)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(post, "address_review")
    await toldPrivately(h, ADA, /You have 1 request queued/)
    const status = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    expect(status.shown?.text).toMatch(/Needs you\n• Changes requested/)
  })

  test("are not read while GitHub wants a pause, and who clicked hears so", async () => {
    const { h, act, reply } = await withPull({ goesOn: "GitHub wants a pause" })
    await act(CHANGES_REQUESTED)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    h.github.fail({ type: "secondary_limit", retryAfter: 60, times: 1 })
    await hasten(h, "watch")
    const paused = () => h.services.workerRedis.keys("{da}:github:*:pause")
    await expect.poll(paused, { timeout: 10_000 }).toHaveLength(1)
    const { length } = h.github.requests
    await h.slack.as(ADA).click(post, "address_review")
    await toldPrivately(h, ADA, /couldn't read the review/)
    expect(h.github.requests).toHaveLength(length)
  })

  test("change their own pull request, though the thread has a newer one, each time", async () => {
    const { h, act, reply } = await withPull({ env: { DOCS_MESSAGE_PATH: "off" } })
    await h.slack.as(ADA).mention(DOCS, "one more example", { thread: reply.threadTs })
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await act(CHANGES_REQUESTED)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(post, "address_review")
    await docsUntil(h, ({ creations }) => creations.length === 3)
    expect(h.docs.creations[2]?.prompt).toContain("Say which version.")
    expect(h.docs.creations[2]?.prompt).not.toContain("one more example")
    await act({ ...CHANGES_REQUESTED, by: "cleo", body: "Say it twice." })
    const next = await botSays(h, /Changes requested by cleo/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(next, "address_review")
    await docsUntil(h, ({ creations }) => creations.length === 4)
    expect(h.docs.creations[3]?.prompt).toContain("Say it twice.")
  })

  test("are forwarded by who did so, not by all whose follow-ups go with them", async () => {
    const { h, act, reply } = await withPull()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await act(CHANGES_REQUESTED)
    const post = await botSays(h, /> Changes requested by ben/, { thread: reply.threadTs })
    await pauseMessages(h)
    await h.slack.as(BEN).mention(DOCS, "one more example", { thread: reply.threadTs })
    await cardSays(h, new RegExp(`Update · asked by <@${BEN}>`))
    await h.slack.as(ADA).click(post, "address_review")
    await h.slack.until(() =>
      cards(h).find(({ blocks }) => JSON.stringify(blocks).includes("follow-up is included")),
    )
    await resumeAll(h)
    await cardSays(h, new RegExp(`Updating .* · asked by <@${BEN}> and <@${ADA}>`))
  })

  test("are not posted for who has muted it, and not once it is merged", async () => {
    const { h, act, reply } = await withPull()
    await h.slack.as(ADA).mention(DOCS, "mute", { thread: reply.threadTs })
    await h.slack.until((s) => s.ephemerals(ADA).length > 0)
    await act(CHANGES_REQUESTED)
    await cardSays(h, /Changes requested/)
    await act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben/)
    expect(botMessages(h.slack).filter(({ threadTs }) => threadTs)).toHaveLength(1)
  })
})

test("after an approval there is no review left to address", async () => {
  const { h, act, reply } = await withPull()
  await act({ do: "review", by: "ben", state: "CHANGES_REQUESTED", body: "No.", comments: [] })
  const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
  await act({ do: "review", by: "ben", state: "APPROVED" })
  await cardSays(h, /Approved/)
  await h.slack.as(ADA).click(post, "address_review")
  const [told] = await h.slack.until((s) => s.ephemerals(ADA)[0] && s.ephemerals(ADA))
  expect(told?.text).toMatch(/^Nothing to address: acme\/docs#214 .*was approved by ben.*View it/)
  expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
})
