import { describe, expect, test } from "vitest"
import type { AuditEntry } from "../../src/audit/entry.ts"
import { createAuditStore } from "../../src/redis/audit/store.ts"
import { keys } from "../../src/redis/keys.ts"
import { createForget } from "../../src/redis/people/forget.ts"
import { useRedis } from "../helpers/redis.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"

const redis = useRedis()

const HOUR_MS = 3_600_000
const COUNT = 300

/** An audit whose time the test sets. Redis deletes by its own clock: everything happens today. */
function opened({ days = 90, afterMs = 0 } = {}) {
  const clock = { now: Date.now() }
  /** What happens when the time is asked for, one after the other. */
  const moments: (() => unknown)[] = []
  const now = () => {
    moments.shift()?.()
    return clock.now
  }
  const broken: string[] = []
  const onBroken = (key: string) => void broken.push(key)
  const packing = { restMs: 10 * 60_000, afterMs, few: 250 }
  const audit = createAuditStore(redis(), { days, packing, onBroken, now })
  const forgetting = createForget(redis(), { queues: async () => [], now })
  const forget = (user: string) => forgetting.forget(user)
  return { clock, moments, audit, forget, broken }
}

type Opened = ReturnType<typeof opened>

/** One every ten seconds, by two people in turn, all ended long enough ago. */
function asked({ clock }: Opened, count = COUNT): AuditEntry[] {
  return Array.from({ length: count }, (_, n) => {
    const at = clock.now - HOUR_MS + n * 10_000 - 20 * 60_000
    return {
      job: `job${n}`,
      at,
      user: n % 2 ? "UADA" : "UBEN",
      channel: "C1",
      project: "docs-site",
      words: `${n % 2 ? "canary of ada" : "words of ben"}: page ${n} says “weekly”`,
      agentJob: `agent-${n}`,
      ending: "pull_request",
      endedAt: at + 1234,
      prLink: `https://github.example/acme/docs/pull/${n}`,
    }
  })
}

async function written(its: Opened, count?: number): Promise<AuditEntry[]> {
  const entries = asked(its, count)
  await Promise.all(entries.map((entry) => its.audit.record(entry)))
  return entries
}

async function read({ audit }: Opened): Promise<AuditEntry[]> {
  const found: AuditEntry[] = []
  for await (const chunk of audit.entries()) found.push(...chunk)
  return found
}

async function packed({ audit }: Opened): Promise<void> {
  while (await audit.pack());
}

const alone = () => redis().zcard(keys.audits)

describe("entries that have come to rest", () => {
  test("are packed, and read as before, oldest first", async () => {
    const its = opened()
    const entries = await written(its)
    await packed(its)
    expect(await alone()).toBe(0)
    expect(await redis().keys("{da}:audit:*")).toEqual([])
    expect(await read(its)).toEqual(entries)
  })

  test("take a fraction of the memory", async () => {
    const its = opened()
    await written(its)
    await packed(its)
    const ids = await redis().zrange(keys.auditPacks, "0", "-1")
    const sizes = await Promise.all(ids.map((id) => redis().strlen(keys.auditPack(id))))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    expect(bytes / COUNT).toBeLessThan(100)
  })

  test("are few for long only where few are asked for", async () => {
    const its = opened()
    await written(its, 3)
    await packed(its)
    expect(await alone()).toBe(3)
    its.clock.now += 7 * HOUR_MS
    await packed(its)
    expect(await alone()).toBe(0)
    expect(await read(its)).toHaveLength(3)
  })

  test("wait while processes of an older version may be there, which would not find them", async () => {
    const its = opened({ afterMs: HOUR_MS })
    await written(its)
    await packed(its)
    expect(await alone()).toBe(COUNT)
    its.clock.now += HOUR_MS
    await packed(its)
    expect(await alone()).toBe(0)
  })

  test("are gone after their days, packed or not", async () => {
    const its = opened({ days: 2 })
    await written(its)
    await packed(its)
    for (const name of await redis().keys("{da}:audit-pack:*")) {
      const ttl = await redis().pttl(name)
      expect(ttl).toBeGreaterThan(0)
      expect(ttl).toBeLessThanOrEqual(2 * 24 * HOUR_MS)
    }
    its.clock.now += 3 * 24 * HOUR_MS
    expect(await read(its)).toEqual([])
    await packed(its)
    expect(await redis().keys("{da}:audit-pack:*")).toEqual([])
  })
})

test("a job that still runs is packed when it has ended", async () => {
  const its = opened()
  const entries = await written(its)
  const runs = { ...asked(its)[7], job: "runs", at: its.clock.now - HOUR_MS } as AuditEntry
  const { ending: _, endedAt: __, prLink: ___, ...active } = runs
  await its.audit.record(active)
  await packed(its)
  expect(await redis().zrange(keys.audits, "0", "-1")).toEqual(["runs"])
  expect(await read(its)).toEqual([...entries, active])
})

test("a job that is followed again is told of once, with its last ending", async () => {
  const its = opened()
  const entries = await written(its)
  await packed(its)
  const again = { ...entries[5], ending: "archived", endedAt: its.clock.now } as AuditEntry
  await its.audit.record(again)
  const rows = async () => (await read(its)).filter(({ job }) => job === "job5")
  expect(await rows()).toEqual([again])

  // And when it has come to rest once more.
  its.clock.now += 7 * HOUR_MS
  await packed(its)
  expect(await alone()).toBe(0)
  expect(await rows()).toEqual([again])
  expect(await read(its)).toHaveLength(COUNT)
})

test("what changes while it is packed is not lost", async () => {
  const its = opened()
  const entries = await written(its)
  const changed = { ...entries[200], ending: "archived" } as AuditEntry
  // The second time that packing asks for is that of its last step: what it packs was read by then.
  its.moments.push(
    () => {},
    () => redis().hset(keys.audit("job200"), "ending", "archived"),
  )
  await packed(its)
  expect(its.moments).toEqual([])
  its.clock.now += 7 * HOUR_MS
  await packed(its)
  expect((await read(its)).filter(({ job }) => job === "job200")).toEqual([changed])
  expect(await read(its)).toHaveLength(COUNT)
})

test("what is packed while the audit is read is in it once", async () => {
  const its = opened()
  const entries = await written(its, 600)
  const found: AuditEntry[] = []
  for await (const chunk of its.audit.entries()) {
    found.push(...chunk)
    await packed(its)
  }
  const jobs = (of: readonly AuditEntry[]) => of.map(({ job }) => job).toSorted()
  expect(jobs(found)).toEqual(jobs(entries))
})

describe("who asked to be forgotten", () => {
  test("is in no pack any more, nor are their words; others stay", async () => {
    const its = opened()
    await written(its)
    await packed(its)

    await its.forget("UADA")

    const kept = await dumpRedis(redis())
    expect(kept).not.toContain("canary of ada")
    expect(kept).toContain("words of ben")
    const rows = await read(its)
    expect(rows).toHaveLength(COUNT)
    expect(rows.filter(({ user }) => user === "UADA")).toEqual([])
    expect(rows[1]).toMatchObject({ job: "job1", user: "", words: "", ending: "pull_request" })
    expect(rows[0]).toMatchObject({ job: "job0", user: "UBEN" })
  })

  test("takes nobody else along with a pack that lost its end, as when data are moved by hand", async () => {
    const its = opened()
    await written(its)
    await packed(its)
    for (const id of await redis().zrange(keys.auditPacks, "0", "-1"))
      await redis().persist(keys.auditPack(id))
    await its.forget("UADA")
    expect(await dumpRedis(redis())).not.toContain("canary of ada")
    expect(await read(its)).toHaveLength(COUNT)
  })

  test("does not come back with a job that is followed again", async () => {
    const its = opened()
    const entries = await written(its)
    await packed(its)
    await its.forget("UADA")
    const again = { ...entries[1], ending: "archived", words: "" } as AuditEntry
    await its.audit.record(again)
    its.clock.now += 7 * HOUR_MS
    await packed(its)
    const rows = (await read(its)).filter(({ job }) => job === "job1")
    expect(rows).toEqual([{ ...again, user: "" }])
  })

  test("is in none that is made at the same time", async () => {
    const its = opened()
    await written(its)
    await Promise.all([packed(its), its.forget("UADA")])
    expect(await dumpRedis(redis())).not.toContain("canary of ada")
    expect(await read(its)).toHaveLength(COUNT)
  })

  test("hears of a pack that cannot be read, which may name them", async () => {
    const its = opened()
    await written(its)
    await packed(its)
    const [id] = await redis().zrange(keys.auditPacks, "0", "-1")
    await redis().set(keys.auditPack(id ?? ""), "of another version", "KEEPTTL")
    await expect(its.forget("UADA")).rejects.toThrow(/pack .* cannot be read/)
    expect(await read(its)).toEqual([])
    expect(its.broken).toEqual([keys.auditPack(id ?? "")])
  })
})
