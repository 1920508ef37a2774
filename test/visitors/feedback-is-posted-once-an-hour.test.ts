import { describe, expect, test } from "vitest"
import { SCOPES } from "../../src/slack/scopes.ts"
import { comment } from "../helpers/gaps.ts"
import { withProjects } from "../helpers/listed-projects.ts"
import { restarted } from "../helpers/restarted.ts"
import { temporaryFolder } from "../helpers/temporary-folder.ts"
import { PROJECT, useVisitors, type VisitorsBed } from "../helpers/visitors.ts"
import { wordsIn } from "../helpers/visitors-blocks.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS } from "../sandbox/slack/index.ts"

const { bed: testBed } = useVisitors({ env: { ADMIN_USERS: CLEO } })
const lacking = { assistant: 404, searches: 404 } as const
/** Bed whose service has only the feedback that a test writes. */
const bed = (more: Parameters<typeof testBed>[0] = {}) =>
  testBed({ docs: { visitors: { empty: true }, absent: lacking }, ...more })

let written = 0

/** Adds comments under a page each, as of the bed's clock. */
function write(h: VisitorsBed, count: number, source: "contextual" | "agent" = "contextual") {
  const createdAt = new Date(h.clock.now()).toISOString()
  const fresh = Array.from({ length: count }, () => {
    written += 1
    return comment(written, { createdAt, source })
  })
  const before = h.docs.settings.analytics.feedback
  h.docs.configure({ analytics: { feedback: [...before, ...fresh] } })
}

const posted = (h: VisitorsBed, channel = DOCS) =>
  h.said(channel).filter(({ text }) => text.startsWith("New on the docs"))

/**
 * Moves the clock to this time of the day, lets what Redis keeps for minutes expire, and runs what is
 * due. @returns how many messages the channel has got
 */
async function postedAt(h: VisitorsBed, time: string) {
  await letExpire(h.services.workerRedis, 6 * 60_000)
  await h.at(`2026-11-20T${time}Z`)
  return posted(h).length
}

/** Starts a bot whose channel gets feedback from now on. */
async function turnedOn(more: Parameters<typeof testBed>[0] = {}) {
  const h = await bed(more)
  await on(h)
  return h
}

async function on(h: VisitorsBed, channel = DOCS) {
  await h.type("feedback on", { user: CLEO, channel })
}

describe("VIS-18: reader feedback in a channel", () => {
  test("begins with what comes after it, although the hour strikes before the channel is told", async () => {
    const h = await bed()
    h.docs.configure({ analytics: { feedback: [comment(900, { createdAt: null })] } })
    const slow = h.slack.hold("chat.postMessage", { times: 1 })
    await h.slack.as(CLEO).slash(DOCS, "/docs-visitors", "feedback on")
    await expect.poll(() => slow.hits).toBe(1)
    await postedAt(h, "13:01")
    slow.release()
    await h.slack.until(() => h.said().some(({ text }) => /turned on reader/.test(text)))
    expect(posted(h)).toEqual([])
  })

  test("is posted at most once an hour, when there is any that is new, and none of it twice", async () => {
    const h = await bed({ dataDir: await temporaryFolder() })
    write(h, 2)
    h.clock.moveOn(60_000)
    await on(h)
    expect(await postedAt(h, "13:01")).toBe(0)
    write(h, 2)
    write(h, 1, "agent")
    expect(await postedAt(h, "13:40")).toBe(0)
    await postedAt(h, "14:01")
    expect(posted(h).map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^New on the docs: 2 comments from readers and 1 comment from AI agents\n/,
      ),
    ])
    await postedAt(h, "15:01")
    await h.restartBot(async () => h.clock.moveOn(9 * 3_600_000))
    await h.posts()
    expect(posted(h)).toHaveLength(1)
  })

  test("comes at the full hour, each hour, although a post takes some seconds, for one request of all channels", async () => {
    const h = await turnedOn()
    await on(h, EDITORS)
    for (const hour of [13, 14, 15]) {
      write(h, 1)
      const spent = h.analyticsRequests().length
      expect(await postedAt(h, `${hour}:00:03`)).toBe(hour - 12)
      expect(posted(h, EDITORS)).toHaveLength(hour - 12)
      expect(h.analyticsRequests()).toHaveLength(spent + 1)
      expect((await h.ask(BEN, "feedback list")).text).toContain(`${hour + 1}:00`)
    }
  })

  test("skips the full hour that soon follows what an outage delayed", async () => {
    const h = await turnedOn()
    write(h, 1)
    const outage = h.docs.fail({ type: "status", status: 503, kind: "feedback" })
    await postedAt(h, "13:01")
    outage.clear()
    expect(await postedAt(h, "13:55")).toBe(1)
    expect((await h.ask(BEN, "feedback list")).text).toMatch(/next .*15:00/)
    write(h, 1)
    expect(await postedAt(h, "14:59")).toBe(1)
    expect(await postedAt(h, "15:00")).toBe(2)
  })

  test("comes a little later, where Slack limits the look at its admin and shows no history", async () => {
    const scopes = Object.keys(SCOPES).filter((scope) => !scope.endsWith(":history"))
    const h = await turnedOn({ slack: { scopes } })
    write(h, 1)
    await letExpire(h.services.workerRedis, 16 * 60_000)
    const limited = { kind: "rate_limited", retryAfter: 1200, times: 1 } as const
    const limit = h.slack.fail({ method: "users.info", ...limited })
    await postedAt(h, "13:01")
    expect(limit.hits).toBe(1)
    expect(await postedAt(h, "13:10")).toBe(0)
    expect(await postedAt(h, "13:22")).toBe(1)
  })

  test("is one message an hour and channel for all its projects", async () => {
    const ids = { docs: PROJECT, api: "docs-api" }
    const docs = { visitors: { empty: true }, absent: lacking }
    const h = await turnedOn(withProjects(ids, { docs, env: { ADMIN_USERS: CLEO } }))
    await h.type("project=api feedback on", { user: CLEO })
    write(h, 1)
    await postedAt(h, "13:01")
    await postedAt(h, "14:01")
    const [both, ...others] = posted(h).map(wordsIn)
    expect(both).toMatch(/\*docs\*.*Comment \d.*\*api\*.*Comment \d.*docs and api · manage/)
    expect(others).toEqual([])
    // Turned off while its comments are on their way to Slack.
    h.slack.fail({ method: "chat.postMessage", kind: "reset", when: "after", times: 1 })
    write(h, 1)
    await postedAt(h, "16:01")
    await h.type("project=api feedback off", { user: CLEO })
    await h.type("project=api feedback on", { user: CLEO })
    await h.type("project=docs feedback off", { user: CLEO })
    await postedAt(h, "16:20")
    expect((await h.ask(BEN, "feedback list")).text).toMatch(
      /in this channel[^•]*• [^•]* · api · [^•]*$/,
    )
  })

  test("has what is new, even if the service lists more than a page of older comments first, as ten groups with a button that makes a request, and counts the rest", async () => {
    const h = await bed()
    write(h, 120)
    h.clock.moveOn(60_000)
    await on(h)
    write(h, 14)
    await postedAt(h, "13:01")
    const [message] = posted(h)
    if (!message) throw new Error("Nothing was posted")
    expect(message.text).toMatch(/^New on the docs: 14 comments from readers\n/)
    expect(wordsIn(await h.ask(BEN, "gaps today"))).toContain(`> Comment ${written}"`)
    expect(wordsIn(message).match(/gaps_ask/g)).toHaveLength(10)
    expect(wordsIn(message)).toContain("and 4 more: ")
    await h.slack.as(BEN).click(message, "gaps_ask", { index: 0 })
    expect(JSON.stringify(await h.slack.until((s) => s.modal(BEN)))).toContain("> Comment ")
  })

  test("stops with the rights of its admin, who hears so", async () => {
    const dataDir = await temporaryFolder()
    const h = await turnedOn({ dataDir })
    await using again = await restarted(h, { clock: h.clock, dataDir, env: { ADMIN_USERS: ADA } })
    write(h, 1)
    h.clock.moveOn(3_600_000)
    await again.posts()
    await h.slack.until(() =>
      h.direct(CLEO).some(({ text }) => text.startsWith("No more reader feedback in ")),
    )
    expect(posted(h)).toEqual([])
  })
})
