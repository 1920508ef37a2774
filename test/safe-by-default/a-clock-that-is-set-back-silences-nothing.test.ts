import { describe, expect, test } from "vitest"
import { RATES, takeTurn } from "../../src/slack/rate-limits.ts"
import { claimKey } from "../../src/store/claims.ts"
import { key } from "../../src/store/redis-keys.ts"
import { askUntil } from "../helpers/asked.ts"
import { useRedis } from "../helpers/redis.ts"
import { skewDate } from "../helpers/skewed-date.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { openQueue, PROJECT } from "../helpers/waiting.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { MovableClock } from "../sandbox/kit/movable-clock.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const MINUTE_MS = 60_000

describe("SAFE-9: while Redis's clock is set back by ten minutes", () => {
  // All but Redis go by the machine's clock.
  const { testBed } = useTestBed({ slack: { now: Date.now }, docs: { now: Date.now } })

  async function setBack(h: Bed, clock: MovableClock) {
    clock.setBack(10 * MINUTE_MS)
    // Redis keeps the end of a key's life as a time of day, too.
    await letExpire(h.services.workerRedis, -10 * MINUTE_MS)
    await h.bot.worker?.passes.care?.()
  }

  test("a running job is polled to its end, and new requests get their card and are sent", async () => {
    const clock = new MovableClock()
    const h = await testBed({ clock })
    await askUntil(h, "write the first guide", /Working on it/)
    await setBack(h, clock)
    h.finish("pull_request")
    await h.botSays(/request is ready/)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the second guide")
    await h.docsUntil(({ creations }) => creations.length === 2)
    await h.botSays(/second guide/)
  })

  test("Stop is heard although that clock was ahead", async () => {
    const h = await testBed({
      clock: new MovableClock(5 * MINUTE_MS),
      slack: { agent: "declared" },
    })
    const card = await askUntil(h, "write the guide", /Working on it/)
    await h.slack.until((s) => s.agents.session(DOCS, card.ts))
    await h.slack.as(ADA).stop(card)
    await h.toldPrivately(ADA, /^The agent can't be stopped/)
  })
})

describe("SAFE-9: on a machine whose clock is 90 s ahead", () => {
  const { testBed } = useTestBed({ env: { JOB_TIMEOUT_MINUTES: "1" } })

  test("a job is not lost track of before its time", async () => {
    using _ = skewDate(90_000)
    const h = await testBed()
    h.docs.plan({ ending: "pull_request", afterMs: 400 })
    await askUntil(h, "fix the quickstart", /Pull request ready/)
  })
})

describe("SAFE-9: no time in Redis is further away than it can be", () => {
  const redis = useRedis()
  const at = (ms: number) => ({ redis: redis(), now: () => ms })
  const NOW = 1_000_000_000_000
  const BEFORE = NOW - 30 * MINUTE_MS

  test("the turn of a rate", async () => {
    const rates = { ...RATES, session: [1000, 3] } as const
    const take = (ms: number) => takeTurn(at(ms), rates, "session", DOCS)
    for (const _ of [1, 2, 3]) expect(await take(NOW)).toBe(0)
    expect(await take(NOW)).toBe(1000)
    expect(await take(BEFORE)).toBe(1000)
    expect(await take(BEFORE + 1000)).toBe(0)
  })

  test("a claim", async () => {
    const claim = (ms: number) => claimKey(at(ms), key("test", "claim"), MINUTE_MS)
    expect(await claim(NOW)).toBe(true)
    expect(await claim(NOW + 1)).toBe(false)
    expect(await claim(BEFORE)).toBe(true)
  })

  test("the wait of an empty Redis, and a pause", async () => {
    const times = { now: NOW }
    const { slots, health, ask } = openQueue(redis(), { coldMs: 10_000 }, () => times.now)
    await slots.beginWait()
    await health.change(PROJECT, () => ({ reason: "rate_limited", until: NOW + MINUTE_MS }))
    await ask(ADA)
    times.now = NOW - 24 * 60 * MINUTE_MS
    expect(await slots.peek(PROJECT)).toBeLessThanOrEqual(10_000)
    times.now += 10_000
    expect(await slots.peek(PROJECT)).toBe(0)
  })
})
