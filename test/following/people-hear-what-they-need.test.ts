import { describe, expect } from "vitest"
import { peopleOf } from "../../src/messages/pull-request-posts.ts"
import { aJob, anAsk } from "../helpers/job.ts"
import type { Bed } from "../helpers/test-bed.ts"
import { act, cardSays, cards, useFollowedPulls } from "../helpers/with-pull.ts"
import { ADA, BEN, buttonsOf, DOCS } from "../sandbox/slack/index.ts"

const { test, withPull, withReview } = useFollowedPulls()
const replies = (h: Bed) => h.botMessages().filter(({ threadTs }) => threadTs)
const request = { do: "review", by: "cleo", state: "CHANGES_REQUESTED" } as const

test("FOL-4, FOL-6, FOL-7, FOL-8, FOL-9: one request with two follow-ups, a review and a merge is one card and four posts, none of which pings for nothing", async (h) => {
  const followUp = { ending: "pull_request", afterMs: 20 } as const
  h.docs.planAll({ ending: "pull_request", afterMs: 600, followUp })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  const shown = await cardSays(h, /Working on it/)
  const { say, says } = h.inThread(shown.ts)
  await say("one more example please", ADA)
  await say("and mention the limits")
  await says(/Your pull request is ready/)
  await says(new RegExp(`^<@${ADA}> and <@${BEN}> Updated acme/docs#214`))
  await act(h, { ...request, body: "Name the version, too." })
  const review = await says(/Changes requested by cleo[\s\S]*Name the version, too\./)
  expect(review.text).toMatch(new RegExp(`^<@${ADA}> and <@${BEN}> `))
  expect(buttonsOf(review)).toContain("address_review")
  await act(h, { do: "merge", by: "cleo" })
  const end = await says(/Merged by cleo: .*acme\/docs#214/)
  expect(end.text).toMatch(new RegExp(`^<@${ADA}> and <@${BEN}> `))
  await h.slack.until(() =>
    h.botMessages().every((one) => !buttonsOf(one).includes("address_review")),
  )
  const card = await cardSays(h, /Merged by cleo/)
  expect(buttonsOf(card)).toEqual([])
  expect(cards(h)).toHaveLength(1)
  expect(replies(h)).toHaveLength(4)
  // Slack notifies the people that a post mentions, but nobody at an edit.
  const posts = h.slack.calls.filter(({ method }) => method === "chat.postMessage")
  const pings = posts.map(({ args }) => JSON.stringify(args).includes("<@"))
  expect(pings).toEqual([false, true, true, true, true])
  expect([h.github.pulls(), h.docs.creations].map(({ length }) => length)).toEqual([1, 1])
  const mentioning = (user: string) => replies(h).filter(({ text }) => text.includes(user)).length
  expect([mentioning(ADA), mentioning(BEN)]).toEqual([4, 3])
})

test("FOL-7: a review on lines alone is told with its first comment, and at the end no post about changes has its button", async () => {
  const { h, act, say, says } = await withReview()
  const withButton = () =>
    h.botMessages().filter((one) => buttonsOf(one).includes("address_review"))
  await say("name the version too", ADA)
  await says(/Updated/)
  await act({ ...request, comments: [{ path: "a.mdx", line: 1, body: "Say which plan." }] })
  await says(/Changes requested by cleo[\s\S]*Say which plan\./)
  await h.slack.until(() => withButton().length === 2)
  await act({ do: "merge", by: "cleo" })
  await says(/Merged by cleo/)
  await h.slack.until(() => withButton().length === 0)
})

describe("FOL-8: the end of a pull request", () => {
  test("is told once for each, and again only where a closed one is merged after all", async () => {
    const { h, act, says } = await withPull()
    for (const _ of [1, 2]) {
      await act({ do: "close" })
      await says(new RegExp(`^<@${ADA}> Closed without merging: .*#214`))
      await cardSays(h, /Closed/)
      await act({ do: "reopen" })
      await cardSays(h, /Pull request ready/)
    }
    await act({ do: "merge", by: "ben" })
    await says(new RegExp(`^<@${ADA}> .*Merged by ben: `))
    expect(replies(h)).toHaveLength(3)
  })

  test("FOL-7: like its review, is told once in a thread, to all who asked, although two jobs led to it", async () => {
    const { h, act, say, says } = await withPull({ docs: { absent: { message: 404 } } })
    const link = h.docs.job(h.docs.creations[0]?.jobId ?? "")?.prLink ?? ""
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await say("name the limits, too")
    await h.docsUntil(({ creations }) => creations.length === 2)
    const again = h.docs.creations[1]?.jobId ?? ""
    h.docs.setPrLink(again, link)
    h.docs.finish(again, "pull_request")
    await says(new RegExp(`^<@${BEN}> .*ready`))
    await act(request)
    await says(/> Changes requested/)
    await h.untilDone("outbox")
    await act({ do: "merge", by: "cleo" })
    await says(/> Merged by/)
    await h.untilDone("outbox")
    const told = replies(h).filter(({ text }) => /> (Changes requested|Merged) by/.test(text))
    const both = `<@${ADA}> and <@${BEN}>`
    expect(told.map(({ text }) => text.slice(0, both.length))).toEqual([both, both])
  })
})

test("FOL-7, FOL-8: of those who asked in a pull request and have not muted it, a post mentions the first three", () => {
  const asks = ["U1", "U2", "U3", "U4", "U5"].map((user) => anAsk({ id: user, user }))
  const job = aJob({ state: "ended", ending: "pull_request", asks })
  expect(peopleOf(job)).toEqual(["U1", "U2", "U3"])
  expect(peopleOf({ ...job, muted: ["U2"] })).toEqual(["U1", "U3", "U4"])
})

test("FOL-5, FOL-11: a retry that works replaces the failure on the card, and each old button answers with the pull request that came of it, also once it is merged", async (h) => {
  h.docs.planAll({ ending: "failed", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  const old = await h.closingReply()
  h.docs.planAll({ ending: "pull_request", afterMs: 0 })
  await h.slack.as(ADA).click(old, "run_again")
  const card = await cardSays(h, /Pull request ready/)
  expect(card.text).toContain(`Run again · asked by <@${ADA}>`)
  expect(card.text).not.toContain("couldn't finish")
  const clickAll = async (says: RegExp) => {
    for (const action of buttonsOf(old)) {
      const told = await h.answerTo(ADA, () => h.slack.as(ADA).click(old, action))
      expect(told.text).toMatch(says)
    }
  }
  expect(buttonsOf(old)).toEqual(["run_again", "edit_and_run"])
  await clickAll(/^Nothing to run again: the result is acme\/docs#\d+ .*View it/)
  await act(h, { do: "merge", by: "cleo" })
  await cardSays(h, /Merged by cleo/)
  await clickAll(/^Nothing to run again: acme\/docs#\d+ .*was merged by cleo.*View it/)
  expect(h.docs.creations).toHaveLength(2)
})
