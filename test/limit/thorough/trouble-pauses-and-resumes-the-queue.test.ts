import { describe, expect } from "vitest"
import type { Services } from "../../../src/compose.ts"
import { readJobPath } from "../../../src/jobs/deployment.ts"
import { examine } from "../../../src/operating/doctor/run-doctor.ts"
import { ask, askUntil } from "../../helpers/asked.ts"
import { restarted } from "../../helpers/restarted.ts"
import { type Bed, FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { queueFacts } from "../../helpers/waiting.ts"
import { CLEO } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })

const REFUSES = /Paused until .* replaces the API key/
const paused = async ({ services }: { services: Services }) =>
  (await queueFacts(services)).pause?.reason
const creationsTried = ({ docs }: Bed) =>
  docs.requests.filter(({ kind }) => kind === "create").length

test("a key that is refused to polls alone pauses, is told, and resumes by itself", async (h) => {
  await askUntil(h, "is running already", /Working on it/)
  const broken = h.docs.fail({ type: "expired_key", kind: "get" })
  await h.slack.until(() => h.direct(CLEO).length > 0)
  expect(h.direct(CLEO)[0]?.text).toMatch(/rejected this project's API key.*\(401\)/)
  await askUntil(h, "comes in the meantime", REFUSES)
  expect(creationsTried(h)).toBe(1)
  broken.clear()
  await h.docsUntil((docs) => docs.creations.length === 2)
  expect(await paused(h)).toBeUndefined()
})

test("a 403 to reads of one job alone is its own trouble; to two it pauses, is told, and ends by itself when one of them is read again", async (h) => {
  for (const n of [1, 2]) await ask(h, `is running already ${n}`)
  await h.docsUntil(({ creations }) => creations.length === 2)
  const forbid = (n: number) =>
    h.docs.fail({ type: "forbidden", kind: "get", jobId: h.docs.creations[n]?.jobId ?? "" })
  const faults = [forbid(1)]
  const areRead = () => faults.every(({ hits }) => hits >= 5)
  await h.docsUntil(areRead)
  expect(await paused(h)).toBeUndefined()
  faults.push(forbid(0))
  const told = await h.slack.until(() => h.direct(CLEO)[0])
  expect(told.text).toMatch(/\(403\)/)
  await h.docsUntil(areRead)
  expect(await paused(h)).toBe("forbidden")
  for (const fault of faults) fault.clear()
  await expect.poll(() => paused(h)).toBeUndefined()
})

describe("where no job is found", () => {
  const WRONG_PATH = { DOCS_JOB_PATH: "/v2/agents/{projectId}/jobs/{jobId}" }

  test("the admins and the doctor hear of DOCS_JOB_PATH, nobody that a job is gone, and it is followed once the path is right", async () => {
    const h = await testBed({ env: WRONG_PATH })
    h.docs.planAll({ ending: "pull_request", afterMs: 0 })
    await ask(h, "document the paths")
    await h.slack.until(() => h.direct(CLEO).length > 0)
    expect(h.direct(CLEO)[0]?.text).toMatch(/DOCS_JOB_PATH/)
    expect(h.direct(CLEO)[0]?.text).not.toMatch(/paused/)
    const findings = await examine(h.services.config, h.services.requestRedis, h.services.log)
    expect(findings.filter(({ next }) => next?.includes("DOCS_JOB_PATH"))).toHaveLength(1)
    expect(h.botMessages().filter(({ threadTs }) => threadTs)).toEqual([])

    await using again = await restarted(h)
    expect((await h.closingReply()).text).toMatch(/pull request is ready/)
    expect(
      await readJobPath(
        again.services.workerRedis,
        again.services.front.settings.projects.keys[0] ?? "",
        again.services.config.docs.jobPath,
      ),
    ).toBeUndefined()
  })

  test("a path that found a job counts as right for good, also after early misses", async (h) => {
    h.docs.planAll({ ending: "pull_request", afterMs: 0 })
    h.docs.fail({ type: "status", status: 404, kind: "get", times: 1 })
    await ask(h, "document the paths")
    await h.closingReply()
    const { workerRedis } = h.services
    const [mark = ""] = await workerRedis.keys("{da}:job-path:*")
    expect(await workerRedis.hgetall(mark)).toMatchObject({ misses: "1", found: "1" })
    expect(await workerRedis.pttl(mark)).toBe(-1)
  })
})

/** Pauses that outlast the test: what goes on does so because nothing is paused. */
const LONG = { firstMs: 600_000, outageFirstMs: 600_000, longestMs: 600_000 }

test("a creation that is never answered holds nobody else back while the service is well", async () => {
  const env = { ADMIN_USERS: "", DOCS_TIMEOUT_MS: "4000" }
  const h = await testBed({ env, timing: { ...FAST_TIMING, pauses: LONG } })
  h.docs.fail({ type: "hang", kind: "create", times: 1 })
  await askUntil(h, "fix the page without an answer", /Starting/)
  await expect.poll(async () => (await queueFacts(h.services)).slots).toHaveLength(1)
  await ask(h, "fix the page that is asked for next")
  await h.docsUntil(({ creations }) => creations.length === 1)
  expect(JSON.stringify(h.botMessages())).not.toContain("Couldn't confirm")
  await h.botSays(/Couldn't confirm/)
  await ask(h, "fix the page that is asked for last")
  await h.docsUntil(({ creations }) => creations.length === 2)
})

test("creations that are never answered do not burn the queue, even if reads are answered", async () => {
  const env = { ADMIN_USERS: "", DOCS_TIMEOUT_MS: "300" }
  const h = await testBed({ env, timing: { ...FAST_TIMING, pauses: LONG } })
  h.docs.fail({ type: "hang", kind: "create" })
  for (const n of [1, 2, 3, 4, 5]) await ask(h, `do not burn ${n}`)
  const unclear = ({ text }: { text: string }) => /^<@.*Couldn't confirm/.test(text)
  await h.slack.until(() => h.botMessages().filter(unclear).length === 2)
  await h.botSays(/documentation service isn't responding/)
  expect((await queueFacts(h.services)).waiting).toHaveLength(3)
})
