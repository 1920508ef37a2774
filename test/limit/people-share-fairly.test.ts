import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { forgetPerson } from "../../src/asking/forget-me.ts"
import { cancelled } from "../../src/jobs/end-round.ts"
import { holds } from "../helpers/property.ts"
import { useRedis } from "../helpers/redis.ts"
import { openQueue } from "../helpers/waiting.ts"

const redis = useRedis()

/** Opens a queue with enough room in the hour for every request, and records its order. */
async function aQueue() {
  await redis().flushall()
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const ledger = new Ledger()
  const { store, jobs, ...queue } = openQueue(redis(), { jobsPerHour: 10_000 }, now)
  return {
    ledger,
    mayStart: queue.mayStart,
    async askFor(user: string) {
      const id = await queue.askFor(user)
      ledger.asked(id, user)
      return id
    },
    async ask(user: string, n = 1) {
      const ids = await queue.ask(user, n)
      for (const id of ids) ledger.asked(id, user)
      return ids
    },
    /** Forgets a person, which cancels their waiting requests. */
    async forget(user: string) {
      for (const { id } of [...ledger.waiting.values()].filter((job) => job.user === user))
        ledger.waiting.delete(id)
      await forgetPerson({ store, jobs }, user)
    },
    /** Cancels the waiting requests of a person, except the `keep` oldest ones. */
    async cancel(user: string, keep = 0) {
      const own = [...ledger.waiting.values()].filter((job) => job.user === user)
      for (const { id } of own.slice(keep)) {
        const change = await jobs.change<"too_late" | "not_yours">(id, (found) =>
          cancelled(found.job, { mayCancel: () => true, now: found.now }),
        )
        if (typeof change === "object") ledger.waiting.delete(id)
      }
    },
    /** Starts the next jobs, a second apart. @returns their requesters, without one if none may start */
    async starts(times: number): Promise<(string | undefined)[]> {
      const users: (string | undefined)[] = []
      for (let n = 0; n < times; n += 1) {
        clock.now += 1000
        const started = await queue.start()
        const job = "job" in started ? started.job : undefined
        if (job) ledger.started(job.id, job.user)
        users.push(job?.user)
      }
      return users
    },
  }
}

describe("LIM-6: the order is fair", () => {
  test.each([0, 1])(
    "who takes a bulk back but %i waits only for what is left of it",
    async (left) => {
      const queue = await aQueue()
      await queue.ask("ada", 60)
      await queue.ask("ben", 50)
      await queue.cancel("ben", left)
      await queue.ask("ben")
      const order = await queue.starts(2 * (left + 1))
      expect(order.filter((user) => user === "ben")).toHaveLength(left + 1)
    },
  )

  test("who asked to be forgotten is served no second time in the round", async () => {
    const queue = await aQueue()
    await queue.ask("ada")
    for (const user of ["ben", "cleo", "dan"]) await queue.ask(user)
    expect(await queue.starts(1)).toEqual(["ada"])
    await queue.forget("ada")
    await queue.ask("ada")
    await queue.ask("eve")
    const order = await queue.starts(5)
    expect(order).toEqual(["ben", "cleo", "dan", "eve", "ada"])
  })

  describe("while the card of a single request is on its way, as with a killed worker that has leased it", () => {
    async function withoutCard() {
      const queue = await aQueue()
      await queue.ask("ada", 20)
      for (const user of ["cleo", "dan"]) await queue.ask(user, 10)
      await queue.starts(4)
      return { queue, id: await queue.askFor("ben") }
    }

    test("one request of each other person starts, and no second one", async () => {
      const { queue, id } = await withoutCard()
      const order = await queue.starts(12)
      expect(order.filter((user) => user === "ada").length).toBeLessThanOrEqual(1)
      expect(order.at(-1)).toBeUndefined()
      await queue.mayStart(id)
      expect(await queue.starts(1)).toEqual(["ben"])
      expect(queue.ledger.longestOvertaking).toBe(1)
    })

    test("nobody is held up for longer than a minute", async () => {
      const { queue } = await withoutCard()
      const order = await queue.starts(70)
      expect(order.slice(0, 55)).toContain(undefined)
      expect(order.slice(62)).toEqual(Array.from({ length: 8 }, () => expect.any(String)))
    })

    test("workers look every moment only while it may hold others back", async () => {
      await redis().flushall()
      const clock = { now: Date.UTC(2026, 10, 20) }
      const { askFor, start } = openQueue(redis(), {}, () => clock.now)
      await askFor("ben")
      expect(await start()).toEqual({ waitMs: 250 })
      clock.now += 61_000
      expect(await start()).toEqual({ waitMs: 60_000 })
    })

    test("who may not be served near the ceiling anyway holds nobody up", async () => {
      await redis().flushall()
      const now = () => Date.UTC(2026, 10, 20)
      const queue = openQueue(redis(), { jobsPerHour: 8, reservedSlots: 3 }, now)
      await queue.ask("ada", 5)
      for (let n = 0; n < 5; n += 1) await queue.inTheAir()
      await queue.askFor("ada")
      await queue.ask("ben", 3)
      for (let n = 0; n < 3; n += 1) expect((await queue.inTheAir()).job.user).toBe("ben")
    })
  })

  test("however people ask, nobody's bulk delays another's single request by more than one slot", async () => {
    const often = { ask: 3, bulk: 1, start: 6, cancel: 1, forget: 2 }
    const step = fc.record({
      do: fc.constantFrom(
        ...Object.entries(often).flatMap(([one, n]) => Array<string>(n).fill(one)),
      ),
      user: fc.constantFrom("ada", "ben", "cleo", "dan"),
      n: fc.nat({ max: 12 }),
    })
    await holds(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const queue = await aQueue()
        for (const s of steps) {
          if (s.do === "start") await queue.starts(1)
          else if (s.do === "cancel") await queue.cancel(s.user)
          else if (s.do === "forget") await queue.forget(s.user)
          else await queue.ask(s.user, s.do === "bulk" ? s.n : 1)
        }
        while ((await queue.starts(1))[0]);
        expect(queue.ledger.longestOvertaking).toBeLessThanOrEqual(1)
      }),
      40,
    )
  })
})

interface Waiting {
  readonly id: string
  readonly user: string
  /** True if the person had nothing else waiting at the time of the request. */
  readonly single: boolean
  readonly overtakenBy: Map<string, number>
}

/** Records waiting requests and how often others overtake them, from observed events alone. */
class Ledger {
  readonly waiting = new Map<string, Waiting>()
  /** Maximum number of starts by one other person ahead of a single request. */
  longestOvertaking = 0
  readonly #started = new Set<string>()

  asked(id: string, user: string): void {
    const single = ![...this.waiting.values()].some((other) => other.user === user)
    this.waiting.set(id, { id, user, single, overtakenBy: new Map() })
  }

  /** Records that a job was granted; ignores grants after the job's first. */
  started(id: string, user: string): void {
    this.waiting.delete(id)
    if (this.#started.has(id)) return
    this.#started.add(id)
    for (const other of this.waiting.values()) {
      if (!other.single || other.user === user) continue
      const count = (other.overtakenBy.get(user) ?? 0) + 1
      other.overtakenBy.set(user, count)
      this.longestOvertaking = Math.max(this.longestOvertaking, count)
    }
  }
}
