import { expect, test } from "vitest"
import { create, createdId, docsServiceForTest, KEY, PROJECT, read } from "../helpers/docs-http.ts"
import { control, controlSnapshot } from "../sandbox/docs-service/control.ts"
import { startDocsService } from "../sandbox/docs-service/start.ts"

test("a panel steers jobs by JSON and sees what came of it", async () => {
  const { service, clock } = await docsServiceForTest()
  control(service, { do: "plan_next", plan: { ending: "failed", afterMs: 1_000 } })
  control(service, { do: "plan_all", plan: { ending: "never", afterMs: 0 } })
  const [failing, lasting] = [await createdId(service), await createdId(service)]
  clock.now += 1_000
  expect((await read(service, failing)).body).toMatchObject({ status: "failed" })
  const answer = control(service, { do: "finish", jobId: lasting, ending: "archived" })
  expect(answer).toMatchObject({
    ok: true,
    snapshot: {
      plans: { next: [], later: { ending: "never" } },
      projects: [
        {
          id: PROJECT,
          hour: { limit: 100, used: 2, remaining: 98 },
          jobs: [
            { id: lasting, status: "archived" },
            { id: failing, status: "failed" },
          ],
        },
      ],
    },
  })
  control(service, { do: "reactivate", jobId: failing, plan: { ending: "never", afterMs: 0 } })
  expect((await read(service, failing)).body).toMatchObject({ status: "active" })
})

test("a panel plans faults and spends the hour", async () => {
  const { service } = await docsServiceForTest()
  control(service, { do: "fail", fault: { type: "status", status: 503, times: 1 } })
  const { faults } = controlSnapshot(service)
  expect(faults).toMatchObject([{ fault: { type: "status", status: 503 }, hits: 0 }])
  expect((await create(service, "a")).status).toBe(503)
  control(service, { do: "spend_elsewhere", projectId: PROJECT, n: 100 })
  expect((await create(service, "a")).status).toBe(429)
  control(service, { do: "fail", fault: { type: "expired_key" } })
  control(service, { do: "clear_fault", id: service.faults()[0]?.id })
  control(service, { do: "fail", fault: { type: "reset" } })
  control(service, { do: "clear_faults" })
  control(service, { do: "plan_next", plan: { ending: "never", afterMs: 0 } })
  expect(control(service, { do: "clear_plans" })).toMatchObject({
    snapshot: { faults: [], plans: { next: [] } },
  })
})

test.each([
  [{ do: "explode" }, "do"],
  [{ do: "plan_next", plan: { ending: "someday", afterMs: 1 } }, "plan.ending"],
  [{ do: "fail", fault: { type: "status", status: 1 } }, "fault.status"],
  [{ do: "finish", jobId: "nope", ending: "failed" }, "There is no job nope"],
  [{ do: "clear_fault", id: "fault-9" }, "There is no fault fault-9"],
  [{ do: "spend_elsewhere", projectId: "nope", n: 1 }, "There is no project nope"],
  ["text", "expected object"],
])("a senseless command %j changes nothing and says why", async (command, reason) => {
  const { service } = await docsServiceForTest()
  const before = controlSnapshot(service)
  const answer = control(service, command)
  expect(answer).toEqual({ ok: false, error: expect.stringContaining(reason) })
  expect(controlSnapshot(service)).toEqual(before)
})

test("what a panel sees is plain JSON and holds no key", async () => {
  const { service } = await docsServiceForTest()
  await create(service, "a")
  const snapshot = controlSnapshot(service)
  const text = JSON.stringify(snapshot)
  expect(text).not.toContain(KEY)
  expect(JSON.parse(text)).toMatchObject({ projects: [{ id: PROJECT, name: PROJECT }] })
})

test("a live view hears of every request and change until it leaves", async () => {
  const { service } = await docsServiceForTest()
  const heard: string[] = []
  const leave = service.subscribe((event) => heard.push(event.type))
  const id = await createdId(service)
  service.finish(id, "failed")
  service.fail({ type: "hang", times: 1 }).clear()
  service.spendElsewhere(PROJECT, 1)
  service.configure({ absent: { message: 404 } })
  service.plan({ ending: "never", afterMs: 0 })
  leave()
  service.clearPlans()
  expect(heard).toEqual(["job", "request", "job", "faults", "faults", "hour", "settings", "plans"])
})

test("a live view hears of an ending that nobody asked for", async () => {
  await using service = await startDocsService({ projects: [{ id: PROJECT, key: KEY }] })
  service.plan({ ending: "no_pull_request", afterMs: 60 })
  const ended = new Promise((resolve) => {
    service.subscribe((event) => {
      if (event.type === "job" && event.job.status !== "active") resolve(event.job.status)
    })
  })
  await createdId(service)
  expect(await ended).toBe("completed")
})
