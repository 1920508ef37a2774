import { expect, test } from "vitest"
import { DocsError, type DocsFault } from "../../src/errors/docs-error.ts"
import { createPollLessons } from "../../src/jobs/service-health.ts"
import type { ServiceHealth } from "../../src/jobs/service-ports.ts"
import { aJob } from "../helpers/job.ts"

const FOUND = { status: "active" }
const fault = (kind: DocsFault) => new DocsError({ operation: "get job", fault: kind })
const job = aJob({ state: "active", agentJobId: "j" })
const missedOnce = { ...job, misses: 1 }

/** What polls teach, and what is written down of it. @param everFound was a job found before? */
function learning(everFound = true) {
  const written: string[] = []
  const health: ServiceHealth = {
    keyRefused: async (_, reason) => written.push(reason) > 0,
    keyAccepted: async () => false,
    mayProbe: async () => true,
    jobFound: async () => void written.push("found"),
    jobMissed: async () => (everFound ? 0 : 1),
    jobPath: async () => undefined,
  }
  const register = { isAbandoned: async (project: string) => project === "abandoned" }
  return { written, lessons: createPollLessons(health, register) }
}

test("a job is gone with the second 404 in a row, not with the first", async () => {
  const { lessons } = learning()
  expect(await lessons.heed(job, fault("not_found"))).toBe(false)
  expect(await lessons.heed(missedOnce, fault("not_found"))).toBe(true)
})

test("where no job was ever found none is gone", async () => {
  const { lessons } = learning(false)
  expect(await lessons.heed({ ...job, misses: 7 }, fault("not_found"))).toBe(false)
  await lessons.heed(job, FOUND)
  expect(await lessons.heed(missedOnce, fault("not_found"))).toBe(true)
})

test("that a job was found is written down once", async () => {
  const { lessons, written } = learning()
  for (let n = 0; n < 3; n += 1) await lessons.heed(job, FOUND)
  expect(written).toEqual(["found"])
})

test.each(["key_refused", "forbidden"] as const)(
  "two polls in a row that end with %s are about the key; one between others is not",
  async (kind) => {
    const { lessons, written } = learning()
    await lessons.heed(job, fault(kind))
    await lessons.heed(job, FOUND)
    await lessons.heed(job, fault(kind))
    await lessons.heed(job, fault("not_found"))
    await lessons.heed(job, fault(kind))
    expect(written).toEqual(["found"])
    await lessons.heed(job, fault(kind))
    expect(written).toEqual(["found", kind])
  },
)
