import { expect, test } from "vitest"
import { create, docsServiceForTest, KEY, PROJECT } from "../helpers/docs-http.ts"
import { control, controlSnapshot } from "../sandbox/docs-service/control.ts"

test.each([
  [{ do: "explode" }, "do"],
  [{ do: "plan_next", plan: { ending: "someday", afterMs: 1 } }, "ending"],
  [{ do: "fail", fault: { type: "status", status: 1 } }, "status"],
  [{ do: "finish", jobId: "nope", ending: "failed" }, 'There is no job "nope"'],
  [{ do: "spend_elsewhere", projectId: "nope", n: 1 }, 'There is no project "nope"'],
  ["text", "expected object"],
])("a senseless command %j changes nothing and says why", async (command, reason) => {
  const { service } = await docsServiceForTest()
  const before = controlSnapshot(service)
  expect(() => control(service, command)).toThrow(reason)
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
