import { expect, test } from "vitest"
import { createProjectNames } from "../../../src/redis/projects/names.ts"
import { createAlerts } from "../../../src/redis/visitors/alerts.ts"
import { createCsvExports } from "../../../src/redis/visitors/csv-exports.ts"
import { createLinkedReports } from "../../../src/redis/visitors/day-book.ts"
import { createShownGaps } from "../../../src/redis/visitors/shown-gaps.ts"
import { createShownReports } from "../../../src/redis/visitors/shown-reports.ts"
import { createSubscriptions } from "../../../src/redis/visitors/subscriptions.ts"
import { useRedis } from "../../helpers/redis.ts"

const redis = useRedis()

const RANGE = { from: "2026-11-01", to: "2026-11-08" }
const LEASE_MS = 60_000

/** The stores of a process that calls the one project so. */
function storesOf(name: string) {
  const names = createProjectNames(redis(), {
    baseUrl: "https://docs.example",
    projects: [{ name, id: "site" }],
  })
  return {
    alerts: createAlerts(redis(), { names }),
    exports: createCsvExports(redis(), { names }),
    linked: createLinkedReports(redis(), names),
    gaps: createShownGaps(redis(), names),
    shown: createShownReports(redis(), names),
    subscriptions: createSubscriptions(redis(), { names }),
  }
}

const questionAbout = (project: string) =>
  ({ project, range: RANGE, by: "total", page: 1 }) as const

test("the controls of what is shown are about the project under its new name", async () => {
  const [before, after] = [storesOf("docs"), storesOf("guides")]
  const question = questionAbout("docs")
  const shown = await before.shown.save({ user: "U1", question, view: "report", paths: [] })
  const linked = await before.linked.save({ channel: "C1", question })
  const gaps = await before.gaps.save({ to: { channel: "C1" }, question, gaps: [] })
  expect((await after.shown.load(shown))?.question.project).toBe("guides")
  expect((await after.linked.load(linked))?.question.project).toBe("guides")
  expect((await after.gaps.load(gaps))?.question.project).toBe("guides")
})

test("alerts go on under the new name, and are changed as what they are", async () => {
  const [before, after] = [storesOf("docs"), storesOf("guides")]
  const none = { team: "T1", channel: "C1", watches: [], state: {}, asRead: "" }
  const watch = { id: "w1", project: "docs", of: "human", user: "U1", from: RANGE.from } as const
  await before.alerts.change(none, [watch], 1)
  const found = await after.alerts.of("T1", "C1")
  if (!found) throw new Error("the alerts are gone")
  expect(found.watches).toMatchObject([{ id: "w1", project: "guides" }])
  await after.alerts.change(found, [...found.watches, { ...watch, id: "w2", project: "guides" }], 1)
  expect((await before.alerts.claim(LEASE_MS))?.alerts.watches).toMatchObject([
    { id: "w1", project: "docs" },
    { id: "w2", project: "docs" },
  ])
})

test("an export is joined and read on under either name", async () => {
  const [before, after] = [storesOf("docs"), storesOf("guides")]
  const asked = (project: string) => ({ team: "T1", project, range: RANGE })
  const to = (user: string) => ({ user, channel: `D${user}`, ts: "1.1" })
  const { id } = await before.exports.open(asked("docs"), to("U1"))
  expect(await after.exports.open(asked("guides"), to("U2"))).toEqual({ id, joined: true })
  const claimed = await after.exports.claim(LEASE_MS)
  if (!claimed) throw new Error("nothing was claimed")
  expect(claimed.export.project).toBe("guides")
  const page = {
    nextOffset: 1,
    lines: [{ key: "a", text: "/a,1\n" }],
    repeats: 0,
    leaseMs: LEASE_MS,
  }
  const added = await after.exports.append(claimed, page)
  expect(added?.claimed.export.project).toBe("guides")
})

test("a digest is stopped under the new name, and settled for the old", async () => {
  const [before, after] = [storesOf("docs"), storesOf("guides")]
  const rhythm = { every: "daily", hour: 9, minute: 0 } as const
  const digest = { team: "T1", channel: "C1", user: "U1", zone: "UTC", rhythm, dueAt: 1 }
  await before.subscriptions.save({ ...digest, project: "docs" })
  const claimed = await after.subscriptions.claim(LEASE_MS)
  if (!claimed) throw new Error("nothing was claimed")
  expect(claimed.subscription.project).toBe("guides")
  await after.subscriptions.settle(claimed, { dueAt: 2 })
  expect(await before.subscriptions.ofChannel("T1", "C1")).toMatchObject([
    { project: "docs", dueAt: 2 },
  ])
  expect(await after.subscriptions.remove("T1", "C1", "daily")).toMatchObject({ project: "guides" })
})
