import { describe, expect, vi } from "vitest"
import { gitHubWeb } from "../../src/config/config.ts"
import { pullRefOf } from "../../src/following/poll-jobs.ts"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { pullFound, reviewAddressed } from "../../src/jobs/send-round.ts"
import { readReview } from "../../src/pulls/address-review.ts"
import { gitHubRefusals, limitInForce, noteReading } from "../../src/pulls/github-limit.ts"
import { afterTheLink } from "../helpers/after-the-link.ts"
import { push, TOKEN } from "../helpers/github.ts"
import { followedJob, keepJob } from "../helpers/job.ts"
import { useRedis } from "../helpers/redis.ts"
import { testIn } from "../helpers/test-bed.ts"

const redis = useRedis()
const test = testIn(followed)
const MINUTE_MS = 60_000

/** Stores a job whose pull request is followed from now on. */
async function followed(more: Parameters<typeof followedJob>[0] = {}) {
  const h = await afterTheLink(redis())
  await keepJob(redis(), followedJob({ ...more, pull: { since: h.clock.now, ...more.pull } }))
  return h
}
type Followed = Awaited<ReturnType<typeof followed>>

const act = (h: Followed, action: Parameters<Followed["github"]["act"]>[2]) =>
  h.github.act("acme/docs", 7, action)
const nextLookMs = async ({ clock }: Followed, kind: "pulls" | "watch" = "watch") =>
  Number(await redis().zscore(jobKeys.schedule(kind), "abcdefgh23")) - clock.now
const isShownAgain = async () =>
  (await redis().zscore(jobKeys.schedule("outbox"), "abcdefgh23")) !== null

test.each([
  ["https://github.com/acme/docs/pull/7", "https://api.github.com", true],
  ["http://GitHub.com/acme/docs/pull/7/files", "https://api.github.com", true],
  ["https://github.com.evil.example/acme/docs/pull/7", "https://api.github.com", false],
  ["https://git.acme.example/acme/docs/pull/7", "https://api.github.com", false],
  ["https://git.acme.example/acme/docs/pull/7", "https://git.acme.example/api/v3", true],
  ["https://github.com/acme/docs/pull/7", "https://git.acme.example/api/v3", false],
])("whether %s is asked about at %s: %s", (link, apiUrl, isFollowed) => {
  expect(pullRefOf(link, gitHubWeb(apiUrl)) !== undefined).toBe(isFollowed)
})

describe("what GitHub says of a pull request", () => {
  test("PUL-5: is written nowhere, its files are not read again and nothing of the token's hour is spent while nothing changes; it is read anew for what was pushed or approved", async (h) => {
    await h.passPulls()
    const { rev } = await h.find()
    const used = h.github.rate(TOKEN)?.used
    await redis().del(jobKeys.schedule("outbox"))
    for (const _ of [1, 2]) {
      const { length } = h.github.requests
      h.clock.now += MINUTE_MS
      await h.passPulls()
      expect(h.github.requests.slice(length).map(({ path }) => path.split("?")[0])).toEqual([
        "/repos/acme/docs/pulls/7",
        "/repos/acme/docs/pulls/7/reviews",
      ])
    }
    expect((await h.find()).rev).toBe(rev)
    expect(await isShownAgain()).toBe(false)
    expect(h.github.rate(TOKEN)?.used).toBe(used)
    h.clock.now += MINUTE_MS
    act(h, { do: "review", by: "ben", state: "APPROVED" })
    const file = { path: "b.mdx", before: "", after: "one\ntwo\n" }
    push(h.github, { asked: [1, 2].map((at) => ({ at, prompt: "x" })), files: [file] })
    await h.passPulls()
    const size = { files: 1, names: ["b.mdx"] }
    expect((await h.find()).pull).toMatchObject({ state: "approved", size })
  })

  test("is waited for where GitHub is in trouble, and where the token may not read", async (h) => {
    h.github.fail({ type: "status", status: 502, times: 1 })
    await h.passPulls()
    expect(await nextLookMs(h, "pulls")).toBe(30_000)
    h.clock.now += 30_000
    h.github.setReadable("acme/docs", false)
    await h.passPulls()
    expect(h.refused).toEqual([expect.stringMatching(/The GitHub token can't read acme\/docs/)])
    expect(await nextLookMs(h)).toBe(60 * MINUTE_MS)
    const refusals = () => gitHubRefusals(h.store, h.asked.tokenHash, { isInContainer: false })
    expect(await refusals()).toHaveLength(1)
    h.github.setReadable("acme/docs", true)
    h.clock.now += 60 * MINUTE_MS
    await h.passPulls()
    expect(await refusals()).toEqual([])
  })

  test("costs Redis one command about it while nothing changes, which gives it back", async (h) => {
    await h.passPulls()
    h.clock.now += MINUTE_MS
    const send = vi.spyOn(redis(), "sendCommand")
    await h.passPulls()
    const commands = send.mock.calls.map(([{ name, args }]) => `${name} ${args.join(" ")}`)
    send.mockRestore()
    expect(await nextLookMs(h)).toBe(20_000)
    expect(commands.filter((command) => command.includes("abcdefgh23"))).toEqual([
      expect.stringContaining(jobKeys.schedule("watch")),
    ])
  })

  test("is read a first time past the bot's share of the token's hour, and later only within it", async (h) => {
    await noteReading(h.store, h.asked.tokenHash, { answer: {}, counted: 1700 }, h.clock.now)
    await h.passPulls()
    expect((await h.find()).pull).toMatchObject({ state: "open" })
    const { length } = h.github.requests
    h.clock.now += 59 * MINUTE_MS
    expect(await h.passPulls()).toBeGreaterThan(MINUTE_MS)
    expect(h.github.requests).toHaveLength(length)
    expect(await limitInForce(h.store, h.asked.tokenHash)).toEqual({
      fault: "github_share",
      leftMs: 2 * MINUTE_MS,
      until: h.clock.now + 2 * MINUTE_MS,
    })
    h.clock.now += 2 * MINUTE_MS
    await h.passPulls()
    expect(h.github.requests.length).toBeGreaterThan(length)
    expect(await limitInForce(h.store, h.asked.tokenHash)).toBeUndefined()
  })

  test("is not asked for before GitHub allows it again", async (h) => {
    h.github.limitRequests(10)
    for (let n = 0; n < 20; n += 1) {
      act(h, { do: "review", state: "COMMENTED" })
      h.clock.now += MINUTE_MS
      await h.passPulls()
    }
    const refusals = h.github.requests.filter(({ status }) => status === 403)
    expect(refusals).toEqual([h.github.requests.at(-1)])
    const limit = await limitInForce(h.store, h.asked.tokenHash)
    expect(limit?.fault).toBe("github_limit")
  })

  test("belongs to the pull request that was asked about", async (h) => {
    const { pulls } = h.asked
    h.asked.pulls = {
      comments: (ref) => pulls.comments(ref),
      async read(...asked) {
        const answer = await pulls.read(...asked)
        const other = { owner: "acme", repo: "docs", number: 8, firstMs: 5000 }
        await h.jobs.change("abcdefgh23", ({ job, now }) => pullFound(job, { ...other, now }))
        return answer
      },
    }
    await h.passPulls()
    const { pull } = await h.find()
    expect(pull).toMatchObject({ number: 8 })
    expect(pull?.state).toBeUndefined()
    expect(await nextLookMs(h, "pulls")).toBe(5000)
  })
})

describe("changes requested", () => {
  const request = { do: "review", by: "ben", state: "CHANGES_REQUESTED" } as const

  test("by a reviewer who began before the one that was addressed, and was done after it, count", async (h) => {
    act(h, { ...request, id: 900, body: "Nearly." })
    await h.passPulls()
    const first = await readReview(h.context, h.asked, await h.find())
    if (typeof first === "string") throw new Error(first)
    await h.jobs.change("abcdefgh23", ({ job }) => reviewAddressed(job, "a1", first.reviews))
    h.clock.now += MINUTE_MS
    act(h, { ...request, by: "cleo", id: 800, body: "Name the version." })
    await h.passPulls()
    expect((await h.find()).pull).toMatchObject({ by: "cleo", review: { state: "due" } })
    const second = await readReview(h.context, h.asked, await h.find())
    if (typeof second === "string") throw new Error(second)
    expect(second.prompt.context).toMatch(/> cleo [\s\S]*> Name the version\.$/)
    expect(second.prompt.context).not.toContain("Nearly.")
  })

  test("hold polls back where GitHub demands a pause when they are read", async (h) => {
    h.github.fail({ type: "secondary_limit", retryAfter: 60, times: 1 })
    expect(await readReview(h.context, h.asked, await h.find())).toBe("unavailable")
    await h.passPulls()
    expect(h.github.requests).toHaveLength(1)
  })
})
