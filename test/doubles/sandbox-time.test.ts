import { describe, expect, test } from "vitest"
import { visitorsKeys } from "../../src/redis/visitors-keys.ts"
import { get, post, stateAnswer, useBareSandbox } from "../helpers/bare-sandbox.ts"
import { ADA, BEN, DOCS } from "../sandbox/slack/seed/ids.ts"

const sandbox = useBareSandbox({ JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" })

const ask = (as: string, text: string) =>
  post(sandbox(), "/api/say", { as, channel: "docs", text: `/docs-agent ${text}` })
const moveOn = (step: object) => post(sandbox(), "/api/time", step)
const creations = () => sandbox().testBed.docs.creations.map(({ prompt }) => prompt)
const until = (probe: () => unknown) => sandbox().testBed.slack.until(probe)
const cardOf = (words: string) =>
  sandbox()
    .testBed.slack.channel(DOCS)
    .messages()
    .findLast(({ text }) => text.includes(words))

describe("time moved on", () => {
  test("frees the hour for who waits, and dates what comes then", async () => {
    await ask("ada", "take the hour")
    await until(() => creations().includes("take the hour"))
    await ask("ben", "wait for the next one")
    await until(() => cardOf("wait for the next one"))
    expect(creations()).toEqual(["take the hour"])

    const moved = await moveOn({ minutes: 61 })

    expect(moved.status).toBe(200)
    await until(() => creations().includes("wait for the next one"))
    const said = await post(sandbox(), "/api/say", { as: "ada", channel: "docs", text: "later" })
    const aheadMs = Number(said.body.message?.ts) * 1000 - Date.now()
    expect(aheadMs).toBeGreaterThan(60 * 60_000)
    const { state } = stateAnswer.parse(await get(sandbox(), "/api/state"))
    expect(state.aheadMs).toBe(61 * 60_000)
  })

  test("ends what the agent was at", async () => {
    await moveOn({ minutes: 61 })
    const { docs, slack } = sandbox().testBed
    docs.plan({ ending: "pull_request", afterMs: 30 * 60_000 })
    await ask("ada", "think for half an hour")
    await until(() => creations().includes("think for half an hour"))
    await moveOn({ minutes: 31 })
    const card = cardOf("think for half an hour")
    await until(() =>
      slack.thread(DOCS, card?.ts ?? "").some(({ text }) => text.includes("acme/docs#")),
    )
  })

  test("lets expire what lives for a while: the same words are not asked about any more", async () => {
    const cards = () =>
      sandbox()
        .testBed.slack.channel(DOCS)
        .messages()
        .filter(({ text }) => text.includes("one example more")).length
    await ask("ben", "one example more")
    await until(() => cards() === 1)
    const doubted = await ask("ben", "one example more")
    expect(doubted.body.ok).toBe(true)
    await until(() =>
      sandbox()
        .testBed.slack.ephemerals(BEN)
        .some(({ blocks }) => blocks.length > 1),
    )
    await moveOn({ minutes: 16 })
    await ask("ben", "one example more")
    await until(() => cards() === 2)
  })

  test("brings the next digest at its time, where there is one", async () => {
    const none = await moveOn({ to: "next_digest" })
    expect(none.status).toBe(409)
    expect(none.body.error).toContain("/docs-visitors subscribe weekly")

    await post(sandbox(), "/api/say", {
      as: "ada",
      channel: "docs",
      text: "/docs-visitors subscribe weekly at 09:00",
    })
    const { workerRedis } = sandbox().testBed.services
    await expect.poll(() => workerRedis.zcard(visitorsKeys.digestsDue)).toBe(1)
    const { slack } = sandbox().testBed
    const before = slack.channel(DOCS).messages().length
    expect((await moveOn({ to: "next_digest" })).status).toBe(200)
    await until(() => slack.channel(DOCS).messages().length > before)

    const digest = slack.channel(DOCS).messages().at(-1)
    const at = new Intl.DateTimeFormat("en-GB", {
      timeZone: slack.users().find(({ id }) => id === ADA)?.tz ?? "",
      timeStyle: "short",
    }).format(Number(digest?.ts) * 1000)
    expect(at).toBe("09:00")
  })

  test("brings an alert about a day on which something was planted, at its second look", async () => {
    expect((await moveOn({ to: "next_look" })).body.error).toContain("/docs-visitors alert on")
    const { docs, slack } = sandbox().testBed
    const now = () => sandbox().testBed.services.now()
    const today = await now()
    const dayBefore = (n: number) => new Date(today - n * 86_400_000).toISOString().slice(0, 10)
    const plants = [1, 2].map((n) => ({ day: dayBefore(n), factor: 0.3, of: "both" as const }))
    docs.configure({ visitors: { plants } })
    const text = "/docs-visitors alert on people"
    await post(sandbox(), "/api/say", { as: "ada", channel: "docs", text })
    const { workerRedis } = sandbox().testBed.services
    await expect.poll(() => workerRedis.zcard(visitorsKeys.alertsDue)).toBe(1)
    const reads = () => docs.requests.filter(({ kind }) => kind === "visitors").length
    expect((await moveOn({ to: "next_look" })).status).toBe(200)
    // Eight weeks, and the day for the first time.
    await until(() => reads() >= 9)
    const due = async () => {
      const { workerRedis: redis } = sandbox().testBed.services
      const [, score] = await redis.zrange(visitorsKeys.alertsDue, "0", "0", "WITHSCORES")
      return Number(score) - (await now())
    }
    await expect.poll(due).toBeGreaterThan(3_600_000)
    expect((await moveOn({ to: "next_look" })).status).toBe(200)
    await until(() =>
      slack
        .channel(DOCS)
        .messages()
        .some(({ text }) => text.startsWith("Fewer people than usual")),
    )
  })

  test.each([{ minutes: 0 }, { minutes: -5 }, { minutes: 1e9 }, { to: "yesterday" }, {}])(
    "%j is refused",
    async (step) => {
      const before = sandbox().testBed.bot.port
      expect((await moveOn(step)).status).toBe(400)
      expect(sandbox().testBed.bot.port).toBe(before)
    },
  )
})
