import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DocsError } from "../../../src/errors/docs-error.ts"
import { createAnalyticsHour } from "../../../src/redis/visitors/analytics-hour.ts"
import { createSharedReadings } from "../../../src/redis/visitors/shared-readings.ts"
import type { Reader } from "../../../src/visitors/reading-ports.ts"
import { sharesOf } from "../../../src/visitors/shares.ts"
import { holds } from "../../helpers/property.ts"
import { ACCOUNT, NOON, PROJECT, useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { ADA, BEN } from "../../sandbox/slack/seed/ids.ts"

const desk = useVisitorsBot()
const WEEK = { from: "2026-11-13", to: "2026-11-19" }
const HOUR_MS = 3_600_000
/** Alone in the hour. */
const ANYBODY = { kind: "person", user: ADA } as const
/** Whose requests leave nothing to anybody: they fill the hour to its ceiling. */
const DOCTOR = { kind: "doctor" } as const
/** The longest a request is on its way. */
const LATEST_MS = 15_000

const requests = ({ docs }: VisitorsBot) => docs.requests.filter(({ kind }) => kind === "visitors")
const readings = ({ deps }: { deps: VisitorsBot["deps"] }) => deps.exports.readings

describe("asked by many at once", () => {
  test("50 people in three processes cost one fetch", async () => {
    const at = await desk()
    at.docs.fail({ type: "delay", ms: 150, kind: "visitors" })
    const processes = [at, at.another(), at.another()]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        readings(processes[n % 3] ?? at).figures(ANYBODY, PROJECT, WEEK),
      ),
    )
    expect(requests(at)).toHaveLength(1)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.value).toEqual(at.docs.truth(PROJECT, WEEK.from, "2026-11-20").totals)
  })

  test("50 people who type the same command cost what one does", async () => {
    const question = { project: PROJECT, range: WEEK, by: "total", page: 1 } as const
    const one = await desk()
    await one.deps.ask.report(question, ANYBODY)
    const cost = requests(one).length

    const at = await desk()
    const other = at.another()
    const asked = Array.from({ length: 50 }, (_, n) =>
      (n % 2 ? at : other).deps.ask.report(question, ANYBODY),
    )
    const answers = await Promise.all(asked)
    expect(requests(at)).toHaveLength(cost)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test("an outage is asked about twice and not once per person", async () => {
    const at = await desk()
    at.docs.fail({ type: "status", status: 500, kind: "visitors" })
    const other = at.another()
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        readings(n % 2 ? at : other).figures(ANYBODY, PROJECT, WEEK),
      ),
    )
    expect(requests(at)).toHaveLength(2)
    for (const answer of answers)
      expect(answer).toMatchObject({ status: "rejected", reason: { fault: "server_error" } })
  })

  test("a process that dies while it fetches does not keep the others waiting for ever", async () => {
    const at = await desk()
    const shared = at.deps.exports.readings
    const dead = createSharedReadings(at.redis).figures
    const key = `${PROJECT}:${WEEK.from}:${WEEK.to}`
    expect(await dead.lock(key, "dead")).toEqual({ kind: "fetch" })
    const waiting = shared.figures(ANYBODY, PROJECT, WEEK)
    await dead.fail(key, "dead", undefined)
    expect((await waiting).value.total).toBeGreaterThan(0)
  })
})

describe("kept", () => {
  const ttl = async (at: VisitorsBot, range: { from: string; to: string }) => {
    await readings(at).figures(ANYBODY, PROJECT, range)
    return at.redis.pttl(`{da}:v:r:figures:${PROJECT}:${range.from}:${range.to}`)
  }
  const closeTo = (ms: number, hours: number) =>
    expect(Math.abs(ms - hours * HOUR_MS)).toBeLessThan(10_000)

  test("a day for days that are over, five minutes for a day that runs", async () => {
    const at = await desk()
    closeTo(await ttl(at, WEEK), 24)
    closeTo(await ttl(at, { from: "2026-11-20", to: "2026-11-20" }), 5 / 60)
    at.clock.now = Date.UTC(2026, 10, 21, 0, 30)
    closeTo(await ttl(at, { from: "2026-11-19", to: "2026-11-20" }), 5 / 60)
    at.clock.now = Date.UTC(2026, 10, 21, 1, 1)
    closeTo(await ttl(at, { from: "2026-11-18", to: "2026-11-20" }), 24)
  })

  test("and what another version left behind is read anew", async () => {
    const at = await desk()
    await at.redis.set(`{da}:v:r:figures:${PROJECT}:${WEEK.from}:${WEEK.to}`, '{"v":99}')
    expect((await readings(at).figures(ANYBODY, PROJECT, WEEK)).value.total).toBeGreaterThan(0)
  })
})

describe("the rolling hour", () => {
  test("never has more requests than its ceiling, in bursts over several processes and hours", async () => {
    const at = await desk()
    const hourly = 20
    await holds(
      fc.asyncProperty(
        fc.array(
          fc.record({
            wait: fc.nat(HOUR_MS / 2),
            burst: fc.integer({ min: 1, max: 30 }),
            reader: fc.constantFrom<Reader>(ANYBODY, { kind: "export", user: BEN }, DOCTOR),
          }),
          { minLength: 5, maxLength: 25 },
        ),
        fc.infiniteStream(fc.nat(LATEST_MS)),
        async (steps, delays) => {
          await at.redis.flushall()
          let now = NOON
          const hours = [1, 2, 3].map(() =>
            createAnalyticsHour(at.redis, {
              perHour: hourly,
              accountOf: () => ACCOUNT,
              now: () => now,
            }),
          )
          const arrivals: number[] = []
          for (const { wait, burst, reader } of steps) {
            now += wait
            for (let n = 0; n < burst; n++) {
              const hour = hours[n % 3]
              const taken = await hour?.take(PROJECT, reader, LATEST_MS)
              if (!hour || !taken || "waitMs" in taken) continue
              // Every other one is answered at once, the rest reaches the service late or never.
              const isAnswered = n % 2 === 0
              if (isAnswered) await hour.settle(PROJECT, taken.slot)
              arrivals.push(isAnswered ? now : now + (delays.next().value ?? 0))
            }
          }
          const sorted = arrivals.toSorted((a, b) => a - b)
          for (const [i, first] of sorted.entries()) {
            const after = sorted[i + hourly]
            if (after !== undefined) expect(after - first).toBeGreaterThan(HOUR_MS)
          }
          // A fifth waits for people who ask for the first time.
          const most = hourly - sharesOf(hourly).people
          expect(sorted.length).toBeGreaterThanOrEqual(Math.min(most, steps[0]?.burst ?? 0))
        },
      ),
      25,
    )
  })

  test("gives a slot back the moment the oldest request is an hour old", async () => {
    const at = await desk()
    let now = NOON
    const hour = createAnalyticsHour(at.redis, {
      perHour: 3,
      accountOf: () => ACCOUNT,
      now: () => now,
    })
    for (let n = 0; n < 3; n++) {
      const taken = await hour.take(PROJECT, ANYBODY, 1_000)
      if ("slot" in taken) await hour.settle(PROJECT, taken.slot)
      now += 60_000
    }
    expect(await hour.room(PROJECT, ANYBODY)).toEqual({ free: 0, perHour: 3 })
    const refused = await hour.take(PROJECT, ANYBODY, 1_000)
    const freeAt = now + ("waitMs" in refused ? refused.waitMs : 0)
    expect(freeAt).toBe(NOON + HOUR_MS + 5_000 + 1)
    now = freeAt - 2
    expect(await hour.take(PROJECT, ANYBODY, 1_000)).toHaveProperty("waitMs")
    now = freeAt
    expect(await hour.take(PROJECT, ANYBODY, 1_000)).toHaveProperty("slot")
  })

  test("counts a request that was never answered from the latest moment it can have arrived", async () => {
    const at = await desk()
    let now = NOON
    const hour = createAnalyticsHour(at.redis, {
      perHour: 1,
      accountOf: () => ACCOUNT,
      now: () => now,
    })
    expect(await hour.take(PROJECT, ANYBODY, LATEST_MS)).toHaveProperty("slot")
    now += LATEST_MS + HOUR_MS
    expect(await hour.take(PROJECT, ANYBODY, LATEST_MS)).toHaveProperty("waitMs")
    now += 5_001
    expect(await hour.take(PROJECT, ANYBODY, LATEST_MS)).toHaveProperty("slot")
  })

  test("leaves a part to others, and is remembered by a process whose Redis forgot it", async () => {
    const at = await desk()
    const hour = createAnalyticsHour(at.redis, {
      perHour: 5,
      accountOf: () => ACCOUNT,
      now: () => NOON,
    })
    const csv = { kind: "export", user: BEN } as const
    for (let n = 0; n < 4; n++) expect(await hour.take(PROJECT, csv, 1_000)).toHaveProperty("slot")
    expect(await hour.take(PROJECT, csv, 1_000)).toHaveProperty("waitMs")
    await at.redis.flushall()
    expect(await hour.take(PROJECT, csv, 1_000)).toHaveProperty("waitMs")
    expect(await hour.take(PROJECT, ANYBODY, 1_000)).toHaveProperty("slot")
    expect((await hour.room(PROJECT, ANYBODY)).free).toBe(0)
  })

  test("pauses as long as the service says, for every process", async () => {
    const at = await desk()
    at.docs.fail({
      type: "rate_limited",
      kind: "visitors",
      times: 1,
      retryAfter: { seconds: 90 },
    })
    await expect(readings(at).figures(ANYBODY, PROJECT, WEEK)).rejects.toMatchObject({
      fault: "rate_limited",
      retryAfterMs: 90_000,
    })
    const other = readings(at.another())
    const YESTERDAY = { from: "2026-11-19", to: "2026-11-19" }
    await expect(other.figures(ANYBODY, PROJECT, YESTERDAY)).rejects.toBeInstanceOf(DocsError)
    expect(requests(at)).toHaveLength(1)
    at.clock.now += 90_001
    const later = { from: "2026-11-18", to: "2026-11-18" }
    expect((await other.figures(ANYBODY, PROJECT, later)).value.total).toBeGreaterThan(0)
  })

  test("is not spent by requests that never left", async () => {
    const at = await desk({ perHour: 5 })
    await at.docs.close()
    await expect(readings(at).figures(ANYBODY, PROJECT, WEEK)).rejects.toMatchObject({
      fault: "unreachable",
    })
    expect(await at.deps.exports.hour.room(PROJECT, ANYBODY)).toEqual({ free: 5, perHour: 5 })
  })
})
