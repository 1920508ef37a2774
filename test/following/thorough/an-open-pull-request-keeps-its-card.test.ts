import { describe, expect, test } from "vitest"
import { allAsks } from "../../../src/jobs/rounds.ts"
import { PAUSES } from "../../../src/limit/pauses.ts"
import { FAST_TIMING } from "../../helpers/test-bed.ts"
import { cardSays, cards, useFollowedPulls, WATCHED } from "../../helpers/with-pull.ts"
import { ADA, BEN } from "../../sandbox/slack/index.ts"

const { withPull } = useFollowedPulls({ timing: WATCHED })

describe("after an update that came to nothing", () => {
  test.each([
    ["a follow-up to a failed one", { ending: "failed" }, "say it in french please", "after"],
    ["a retry of an archived one", { ending: "archived" }, "retry", "after"],
    ["a follow-up to a rejected one", undefined, "say it in french please", "before"],
    ["a retry of a rejected one", undefined, "retry", "before"],
  ] as const)("%s is a new job, and the card stays that of the pull request", async (...row) => {
    const [_, plan, words, merged] = row
    const { h, act, say, says } = await withPull({ env: { START_DELAY_SECONDS: "1" } })
    if (plan) h.docs.planAll({ ...plan, afterMs: 0 })
    else h.docs.fail({ type: "status", status: 400, kind: "message", times: 1 })
    await say("make it shorter please")
    await says(/finish the update|Archived in|Rejected by/)
    const merge = () => act({ do: "merge", by: "cleo" })
    if (merged === "before") await merge().then(() => cardSays(h, /Merged by/))
    h.docs.planAll({ ending: "pull_request", afterMs: 0 })
    await say(words)
    await h.docsUntil(({ creations }) => creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toMatch(/(shorter|french) please\n[\s\S]*> write the guide/)
    if (merged === "after") await merge()
    await cardSays(h, /Merged by cleo · .*acme\/docs#214/)
    await says(new RegExp(`^<@${BEN}> Your pull request is ready`))
    expect(cards(h)).toHaveLength(1)
  })

  test("the card of a job that is looked for again names nobody whose request is in a new one", async () => {
    const { h, say, says } = await withPull()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    h.docs.fail({ type: "status", status: 404, kind: "get", times: 2 })
    await say("one more example")
    const gone = await says(/Not found/)
    await h.slack.as(BEN).click(gone, "run_again")
    await h.docsUntil(({ creations }) => creations.length === 2)
    await h.slack.as(ADA).click(gone, "look_again")
    await cardSays(h, /Updating acme\/docs#214 \(\S+\)$/m)
  })

  test("a rerun is a new job once the service takes no messages, and the pull request keeps its card", async () => {
    const { h, act, say, says } = await withPull()
    h.docs.fail({ type: "reset", kind: "message", times: 1 })
    h.docs.fail({ type: "status", status: 405, kind: "message" })
    await say("one more example", ADA)
    const doubt = await says(/Couldn't confirm/)
    await h.resumeAll()
    await say("and a third example", ADA)
    await h.docsUntil(({ creations }) => creations.length === 2)
    await h.slack.as(ADA).click(doubt, "run_again")
    await h.docsUntil(({ creations }) => creations.length === 3)
    await act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben · .*acme\/docs#214/)
  })
})

test("a follow-up after an update in doubt goes to the same job, and its pull request keeps the card", async () => {
  // The answer that never came pauses the queue as an outage does.
  const pauses = { ...PAUSES, outageFirstMs: 50 }
  const { h, act, say, says } = await withPull({ timing: { ...WATCHED, pauses } })
  h.docs.fail({ type: "reset", kind: "message", times: 1 })
  await say("make it shorter please")
  await says(/Couldn't confirm/)
  await say("say it in french please")
  await says(/Updated/)
  expect(h.docs.creations).toHaveLength(1)
  await act({ do: "merge", by: "cleo" })
  await cardSays(h, /Merged by cleo/)
  expect(cards(h)).toHaveLength(1)
})

describe("after a merge", () => {
  test("a rerun of a follow-up that waited for its turn moves to the new job, and is there alone", async () => {
    const { h, act, say, says } = await withPull()
    h.docs.planAll({ ending: "failed", afterMs: 0 })
    await say("one more example")
    const failed = await says(/couldn't finish the update/)
    const { jobs } = h.services.front
    await h.pause("messages")
    await h.slack.as(BEN).click(failed, "run_again")
    await cardSays(h, /Paused until/)
    await act({ do: "merge", by: "ben" })
    await expect.poll(async () => (await h.jobOf()).pull?.state).toBe("merged")
    await h.resumeAll()
    await h.docsUntil(({ creations }) => creations.length === 2)
    await cardSays(h, /Merged by ben/)
    expect(h.docs.creations[1]?.prompt).toMatch(/^one more example\n\n[\s\S]*> write the guide/)
    expect(h.docs.requests.filter(({ kind }) => kind === "message")).toHaveLength(1)
    const asks = (await jobs.ofUser(BEN)).map(({ job }) => allAsks(job).map(({ user }) => user))
    expect(asks).toEqual([[BEN], [ADA]])
  })

  test("a follow-up makes the bot look before it sends it", async () => {
    const { h, act, say } = await withPull({
      env: { START_DELAY_SECONDS: "1" },
      timing: {
        ...FAST_TIMING,
        pulls: { firstMs: 0, soonestMs: 3_600_000, longestMs: 3_600_000, eachMs: 0 },
      },
    })
    await h.botSays(/\d+ files?, \+\d+/)
    await act({ do: "merge", by: "ben" })
    await say("one more example", ADA)
    await h.docsUntil(({ creations }) => creations.length === 2)
    await cardSays(h, /Merged by ben/)
    expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
  })
})
