import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createAnalyticsHour } from "../../../src/redis/visitors/analytics-hour.ts"
import type { AnalyticsHour, Reader } from "../../../src/visitors/reading-ports.ts"
import { holds } from "../../helpers/property.ts"
import { ACCOUNT, NOON, PROJECT, useVisitorsBot } from "../../helpers/visitors.ts"
import { files, finish, press } from "../../helpers/visitors-export.ts"
import { ADA, ADA_DM, BEN, CLEO, DOCS, TEAM } from "../../sandbox/slack/seed/ids.ts"

const desk = useVisitorsBot()
const HOUR_MS = 3_605_000
const DIGEST: Reader = { kind: "digest" }

const person = (user: string): Reader => ({ kind: "person", user })
const csv = (user: string): Reader => ({ kind: "export", user })

async function takeMost(hour: AnalyticsHour, reader: Reader, tries = 200): Promise<number> {
  let taken = 0
  for (let n = 0; n < tries; n++)
    if ("slot" in (await hour.take(PROJECT, reader, 1_000))) taken += 1
  return taken
}

async function openHour(perHour = 20) {
  const at = await desk()
  const clock = { now: NOON }
  const another = () =>
    createAnalyticsHour(at.redis, { perHour, accountOf: () => ACCOUNT, now: () => clock.now })
  const subscribe = () =>
    at.deps.subscriptions.save({
      team: TEAM,
      channel: DOCS,
      project: PROJECT,
      user: ADA,
      zone: "UTC",
      rhythm: { every: "daily", hour: 9, minute: 0 },
      dueAt: NOON + HOUR_MS,
    })
  return { at, clock, hour: another(), another, subscribe }
}

describe("the hour of analytics requests is shared", () => {
  test("one person alone may use all of it but a fifth, which waits for whoever comes next", async () => {
    const { hour } = await openHour()
    expect(await takeMost(hour, person(ADA))).toBe(16)
    expect(await takeMost(hour, person(BEN))).toBe(4)
  })

  test("an hour of a few requests is not divided", async () => {
    const { hour } = await openHour(4)
    expect(await takeMost(hour, person(ADA))).toBe(4)
  })

  test("while others ask nobody has more than half, not with their CSVs either", async () => {
    const { hour, another } = await openHour()
    await hour.take(PROJECT, person(BEN), 1_000)
    const ada = (await takeMost(hour, csv(ADA), 4)) + (await takeMost(another(), person(ADA)))
    expect(ada).toBe(10)
    expect(await hour.take(PROJECT, person(ADA), 1_000)).toEqual({
      ownShare: true,
      waitMs: HOUR_MS + 1_000 + 1,
    })
    expect(await takeMost(hour, person(BEN))).toBe(5)
    expect(await takeMost(hour, person(CLEO))).toBe(4)
  })

  test("whoever used more than half alone waits as soon as somebody else asks", async () => {
    const { hour } = await openHour()
    expect(await takeMost(hour, person(ADA), 15)).toBe(15)
    expect(await takeMost(hour, person(BEN), 1)).toBe(1)
    expect(await hour.take(PROJECT, person(ADA), 1_000)).toMatchObject({ ownShare: true })
    expect(await takeMost(hour, person(BEN))).toBe(3)
    expect(await takeMost(hour, person(CLEO))).toBe(1)
  })

  test("an hour after the others asked last, all of it is there again for one", async () => {
    const { hour, clock } = await openHour()
    await hour.take(PROJECT, person(BEN), 1_000)
    clock.now += HOUR_MS + 1_001
    expect(await takeMost(hour, person(ADA))).toBe(16)
  })

  test("digests have a part of their own where anybody subscribed", async () => {
    const { hour, subscribe } = await openHour()
    await subscribe()
    expect(await takeMost(hour, person(ADA))).toBe(14)
    expect(await takeMost(hour, person(BEN))).toBe(4)
    expect(await takeMost(hour, DIGEST, 3)).toBe(2)
  })

  test("what digests used of their part is not kept free a second time", async () => {
    const { hour, subscribe } = await openHour()
    await subscribe()
    expect(await takeMost(hour, DIGEST, 2)).toBe(2)
    expect(await takeMost(hour, person(ADA))).toBe(14)
    expect(await takeMost(hour, person(BEN))).toBe(4)
  })

  test("exports leave a fifth to people, and have half together while anybody asks", async () => {
    const { hour } = await openHour()
    expect(await takeMost(hour, csv(ADA))).toBe(16)
    const { hour: other } = await openHour()
    await other.take(PROJECT, person(CLEO), 1_000)
    expect((await takeMost(other, csv(ADA), 7)) + (await takeMost(other, csv(BEN)))).toBe(10)
  })

  test("what an export is told to have is what it gets, whatever happened before", async () => {
    const readers = [person(ADA), person(BEN), person(CLEO), csv(ADA), csv(BEN), DIGEST]
    const step = fc.record({
      reader: fc.constantFrom(...readers),
      tries: fc.integer({ min: 1, max: 8 }),
      wait: fc.oneof(fc.constant(0), fc.nat({ max: HOUR_MS })),
    })
    const { at, clock, another, subscribe } = await openHour()
    await holds(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, digests) => {
        await at.redis.flushall()
        if (digests) await subscribe()
        const hour = another()
        for (const { reader, tries, wait } of steps) {
          clock.now += wait
          await takeMost(hour, reader, tries)
        }
        const { free, perHour } = await hour.room(PROJECT, csv(ADA))
        expect(free).toBeLessThanOrEqual(perHour)
        // It asks as well: from then on its owner is among those who do.
        const first = await takeMost(hour, csv(ADA), 1)
        expect(first).toBe(Math.min(free, 1))
        if (first === 1) expect(await takeMost(hour, csv(ADA), 25)).toBe(free - 1)
      }),
      25,
    )
  })
})

describe("in Slack", () => {
  test("who used more than half hears so once others ask, and the others get their answer", async () => {
    const at = await desk({ perHour: 30 })
    await at.ask(ADA, DOCS, "90d")
    await at.ask(ADA, DOCS, "30d")
    expect((await at.ask(BEN, DOCS, "yesterday")).text).toContain("People")
    expect((await at.ask(ADA, DOCS, "2026-11-01..2026-11-03")).text).toMatch(
      /you've used half of the hour's requests for visitor numbers, and others need the rest/,
    )
    expect((await at.ask(BEN, DOCS, "2026-11-05")).text).toContain("People")
  })

  test("somebody who asks the same at the same time does not hear of another's share", async () => {
    const at = await desk({ perHour: 30 })
    await at.ask(ADA, DOCS, "90d")
    await at.ask(BEN, DOCS, "yesterday")
    const day = "2026-11-03"
    const [ada, ben] = await Promise.all([at.ask(ADA, DOCS, day), at.ask(BEN, DOCS, day)])
    expect(ada.text).toContain("you've used half")
    expect(ben.text).toContain("People")
  })

  test("a CSV waits while people ask, and comes all the same", async () => {
    const at = await desk({ docs: { visitors: { pages: 6_000 } }, perHour: 60 })
    await press(at, "90d")
    await at.use(ADA, at.told(ADA), "visitors_csv_start")
    expect((await at.ask(BEN, DOCS, "yesterday")).text).toContain("People")
    expect(await finish(at)).toBeGreaterThan(0)
    expect(files(at, ADA_DM)).toHaveLength(1)
  })
})
