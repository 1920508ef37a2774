import { describe, expect, test } from "vitest"
import { get, post, stateAnswer, useBareSandbox } from "../helpers/bare-sandbox.ts"
import { botMessages } from "../helpers/reading.ts"
import { BEN } from "../sandbox/slack/index.ts"

const sandbox = useBareSandbox({ JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" })

const ask = (as: string, text: string) =>
  post(sandbox(), "/api/say", { as, channel: "docs", text: `/docs-agent ${text}` })
const moveOn = (step: object) => post(sandbox(), "/api/time", step)
/** Returns the first line of each creation, which is the request. */
const creations = () => sandbox().testBed.docs.creations.map(({ prompt }) => prompt.split("\n")[0])
const until = (probe: () => unknown) => sandbox().testBed.slack.until(probe)
const cardsOf = (words: string) =>
  botMessages(sandbox().testBed.slack).filter(({ text }) => text.includes(words))

describe("time moved on", () => {
  test("frees the hour for who waits, and dates what comes then", async () => {
    await ask("ada", "take the hour")
    await until(() => creations().includes("take the hour"))
    await ask("ben", "wait for the next one")
    await until(() => cardsOf("wait for the next one")[0])
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

  test("lets expire what lives for a while: the same words are not asked about any more", async () => {
    const cards = () => cardsOf("one example more").length
    await ask("ben", "one example more")
    await until(() => cards() === 1)
    const doubted = await ask("ben", "one example more")
    expect(doubted.body.ok).toBe(true)
    await until(() => sandbox().testBed.slack.ephemerals(BEN).length > 0)
    await moveOn({ minutes: 16 })
    await ask("ben", "one example more")
    await until(() => cards() === 2)
  })

  test.each([{ minutes: 0 }, { minutes: -5 }, { minutes: 1e9 }, { to: "next_digest" }, {}])(
    "%j is refused",
    async (step) => {
      const before = sandbox().testBed.bot.port
      expect((await moveOn(step)).status).toBe(400)
      expect(sandbox().testBed.bot.port).toBe(before)
    },
  )
})
