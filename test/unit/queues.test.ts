import { expect, test } from "vitest"
import { messagesOf, projectOf, queueOf, queuesOf } from "../../src/jobs/queues.ts"

test("a project has a queue of jobs and one of messages to them", () => {
  expect(queueOf({ project: "docs" })).toBe("docs")
  expect(queueOf({ project: "docs", follows: "job-1" })).toBe(messagesOf("docs"))
  expect(queuesOf(["docs"]).map(projectOf)).toEqual(["docs", "docs"])
})
