import { describe, expect } from "vitest"
import { act, cardSays, cards, useFollowedPulls } from "../helpers/with-pull.ts"
import type { PullAction } from "../sandbox/github/pull.ts"
import { ADA, buttonsOf, DOCS } from "../sandbox/slack/index.ts"

const { test, withPull } = useFollowedPulls()

describe("after the link, the card says what people do with the pull request", () => {
  test("PUL-3: draft, which nothing calls ready, closed, open again, ready, approved and, over a restart, merged, by edits but for its ends, the last of which leaves the words of the result", async () => {
    const { h, reply, pull, act } = await withPull()
    const before = h.postCount()
    const turn = async (action: PullAction, says: RegExp) => {
      await act(action)
      await cardSays(h, says)
    }
    await turn({ do: "draft" }, /Draft pull request: acme\/docs#214/)
    const result = () => h.botMessages().find(({ ts }) => ts === reply.ts)?.text
    await expect.poll(result).toContain(`<@${ADA}> Your draft pull request: acme/docs#214`)
    const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    expect(shown?.text).toMatch(/^Waiting for review\n• Draft · /)
    await turn({ do: "close" }, /Closed without merging/)
    for (const { text } of h.botMessages()) expect(text).not.toMatch(/ready/i)
    await turn({ do: "reopen" }, /Draft pull request: acme\/docs#214/)
    await turn({ do: "ready" }, /Pull request ready/)
    const approved = { do: "review", by: "ben", state: "APPROVED" } as const
    await turn(approved, /Approved by ben: acme\/docs#214/)
    // All but the address of *Review*, which goes with its button.
    const words = () => result()?.replace(/\n\S+\/files(?=\n|$)/, "")
    await expect.poll(words).toMatch(/is ready: .*1 file/)
    const said = words()
    const merge = { do: "merge", by: "ben" } as const
    await h.restartBot(async () => void h.github.act(pull.repository, pull.number, merge))
    await h.hasten("watch")
    expect(buttonsOf(await cardSays(h, /Merged by ben/))).toEqual([])
    expect(words()).toBe(said)
    expect(h.postCount()).toBe(before + 2)
    expect(cards(h)).toHaveLength(1)
  })

  test("and a result that comes after the merge calls for no review", async (h) => {
    h.docs.planAll({ ending: "never", afterMs: 0, prAfterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    await cardSays(h, /may still change/)
    await act(h, { do: "merge", by: "ben" })
    const state = async () => (await h.jobOf()).pull?.state
    await expect.poll(state).toBe("merged")
    h.finish("pull_request")
    const { text } = await h.closingReply()
    expect(text).toContain(`<@${ADA}> Your pull request: acme/docs#214`)
    expect(text).not.toMatch(/is ready|review it/)
    await h.botSays(/> .*Merged by ben/)
  })

  test("PUL-1, PUL-2, FOL-6, FOL-10: the result says how much changed and shows it, by an edit, *Review* opens the page of changes, a follow-up says what it changed and how much that is in all, and the card keeps who asked first", async () => {
    const { h, reply, say, says } = await withPull()
    // A file whose lines are shown below is not named.
    const files = /\d+ files?, \+\d+ −\d+( · \S+|\n)/
    const sized = await says(files)
    expect(sized.ts).toBe(reply.ts)
    expect(sized.text).toMatch(/\n\+ \S/)
    expect(buttonsOf(sized)).toContain("review_changes")
    expect(JSON.stringify(sized.blocks)).toContain("/pull/214/files")
    await say("make it shorter")
    const updated = /Updated acme\/docs#214 \(\S+\): \+\d+ −\d+, in all \d+ files?, \+\d+ −\d+/
    expect((await says(updated)).ts).not.toBe(reply.ts)
    await cardSays(h, new RegExp(`Requested by <@${ADA}>`))
    expect(h.github.pulls()).toHaveLength(1)
    expect(cards(h)).toHaveLength(1)
  })
})
