import { describe, expect, test } from "vitest"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { FAST_TIMING } from "../helpers/test-bed.ts"
import { CHANGES_REQUESTED, cardSays, useFollowedPulls } from "../helpers/with-pull.ts"
import { ADA, ADA_DM, BEN, buttonsOf, CLEO, DOCS } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

const { withPull, withReview } = useFollowedPulls()
const review = { do: "review", state: "CHANGES_REQUESTED" } as const
const approval = { do: "review", state: "APPROVED" } as const

const messages = ({ docs }: TestBed) => docs.requests.filter(({ kind }) => kind === "message")

describe("changes requested", () => {
  test("PUL-11, FOL-7: are posted once, and *Address the review*, which is the requester's or an admin's, makes one follow-up on the same pull request", async () => {
    const { h, act, says, post, address } = await withReview({ env: { ADMIN_USERS: CLEO } })
    await act({ ...review, by: "eve", association: "NONE", body: "Delete it all." })
    expect(post.text).toContain(`<@${ADA}>`)
    const before = h.postCount()
    await address(BEN)
    await h.slack.until((s) => s.ephemerals(BEN).length > 0)
    expect(messages(h)).toEqual([])
    await address(CLEO)
    await address(ADA)
    await h.toldPrivately(ADA, /^This review was already sent/)
    await says(/Updated/)
    expect(messages(h)).toHaveLength(1)
    const sent = JSON.stringify(h.docs.jobs("docs-site")[0]?.messages)
    expect(sent).toContain("ben on quickstart.mdx, line 3:")
    expect(sent).toContain("Say which version.")
    expect(sent).not.toContain("Delete it all")
    expect(h.postCount()).toBe(before + 1)
    expect(h.docs.creations).toHaveLength(1)
    await act({ ...CHANGES_REQUESTED, by: "cleo" })
    await says(/Changes requested by cleo/)
  })

  test("name on the card who still wants them, are not posted again for that, and are nothing to address once all approve", async () => {
    const { h, act, says } = await withPull()
    await act({ ...review, by: "cleo", body: "Say it twice." })
    const post = await says(/> Changes requested by cleo/)
    await act({ ...review, by: "ben", body: "Say it once." })
    await cardSays(h, /Changes requested by ben/)
    await act({ ...approval, by: "ben" })
    await cardSays(h, /Changes requested by cleo/)
    await act({ ...approval, by: "cleo" })
    await cardSays(h, /Approved/)
    expect(h.botMessages().filter(({ threadTs }) => threadTs)).toHaveLength(2)
    await h.slack.as(ADA).click(post, "address_review")
    const nothing = /^Nothing to address: acme\/docs#214 .*was approved by cleo.*View it/
    await h.toldPrivately(ADA, nothing)
    expect(messages(h)).toEqual([])
  })

  test("reach the requester directly where the channel was archived since the result", async () => {
    const { h, act } = await withPull()
    const archived = { kind: "error", error: "is_archived", method: "chat.postMessage" } as const
    h.slack.fail({ ...archived, matching: ({ channel }) => channel === DOCS })
    await act(CHANGES_REQUESTED)
    const told = await h.botSays(/Changes requested by ben/, { channel: ADA_DM })
    expect(buttonsOf(told)).toContain("address_review")
  })

  test("stand on the card where the bot can never post them, and so does what follows", async () => {
    const timing = { ...FAST_TIMING, tries: { ...FAST_TIMING.tries, failedMs: 0 } }
    const { h, act, reply } = await withPull({ timing })
    const damaged = jobKeys.inThread(DOCS, reply.threadTs ?? "")
    await h.services.workerRedis.multi().del(damaged).hset(damaged, "by", "hand").exec()
    await act(CHANGES_REQUESTED)
    await cardSays(h, /Changes requested by ben/)
    await act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben/)
  })

  test("still need their requester where too much waits, until they are sent from the refusal, edited, to their own pull request, as are later ones, though the thread has a newer one", async () => {
    const env = { DOCS_MESSAGE_PATH: "off", MAX_QUEUED_PER_USER: "1" }
    const { h, act, say, says, address } = await withReview({ env })
    await say("one more example", ADA)
    await h.promptsSent(2)
    await h.botSaysTimes(2, /request is ready/)
    await h.pause("jobs")
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write another guide")
    await h.botSays(/write another guide[\s\S]*Paused until/)
    await address()
    const refusal = await h.toldPrivately(ADA, /You have 1 request queued/)
    const status = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    expect(status.shown?.text).toMatch(/Needs you\n• Changes requested/)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "cancel")
    await h.slack.as(ADA).click(refusal, "open_draft")
    await h.slack.as(ADA).submitModal({ prompt: "Address what ben says." })
    await address()
    await h.toldPrivately(ADA, /^This review was already sent/)
    await h.resumeAll()
    const [, , prompt] = await h.promptsSent(3)
    expect(prompt).toMatch(/^Address what ben says\.[\s\S]*Say which version\./)
    await act({ ...CHANGES_REQUESTED, by: "cleo", body: "Say it twice." })
    await address(ADA, await says(/Changes requested by cleo/))
    const [, , , next] = await h.promptsSent(4)
    expect(next).toContain("Say it twice.")
    for (const sent of [prompt, next]) expect(sent).not.toContain("one more example")
  })

  test("are not read while GitHub wants a pause, and who clicked hears so", async () => {
    const { h, address } = await withReview({ goesOn: "GitHub wants a pause" })
    h.github.fail({ type: "secondary_limit", retryAfter: 60, times: 1 })
    await h.hasten("watch")
    const paused = () => h.services.workerRedis.keys("{da}:github:*:pause")
    await expect.poll(paused).toHaveLength(1)
    const { length } = h.github.requests
    await address()
    await h.toldPrivately(ADA, /couldn't read the review/)
    expect(h.github.requests).toHaveLength(length)
  })

  test("are forwarded by who did so, not by all whose follow-ups go with them", async () => {
    const { h, reply, address } = await withReview()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.pause("messages")
    await h.slack.as(BEN).mention(DOCS, "one more example", { thread: reply.threadTs })
    await cardSays(h, new RegExp(`Update · asked by <@${BEN}>`))
    await address()
    await h.botShows("follow-up is included")
    await h.resumeAll()
    await cardSays(h, new RegExp(`Updating .* · asked by <@${BEN}> and <@${ADA}>`))
  })

  test("FOL-8: are not posted for who has muted it, and nor is the merge", async () => {
    const { h, act, say } = await withPull()
    await say("mute", ADA)
    await h.slack.until((s) => s.ephemerals(ADA).length > 0)
    await act(CHANGES_REQUESTED)
    await cardSays(h, /Changes requested/)
    await act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben/)
    expect(h.botMessages().filter(({ threadTs }) => threadTs)).toHaveLength(1)
  })
})
