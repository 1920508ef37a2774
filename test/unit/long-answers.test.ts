import { expect, test } from "vitest"
import { endings } from "../../src/jobs/job.ts"
import type { Overview } from "../../src/jobs/overview.ts"
import { reportMessage } from "../../src/messages/visitors/report.ts"
import { truncateBytes } from "../../src/text/truncate.ts"
import { doctorMessage } from "../../src/views/doctor.ts"
import { quotaMessage, statusMessage } from "../../src/views/overview.ts"
import { unknownProjectMessage } from "../../src/views/request-messages.ts"
import { unreadFilesMessage } from "../../src/views/unread-files.ts"
import { checkMessage } from "../helpers/block-kit.ts"
import { aJob } from "../helpers/job.ts"
import { PRIVATE, reportOf } from "../helpers/visitors-facts.ts"

/** Each character is four, five or three bytes on its way. */
const LONG = "😀&日".repeat(3000)
const PLACE = { place: 300, startsAt: 1e12, soon: false, paused: "key_refused" }
const MANY: Overview = {
  now: 1e12,
  jobs: endings.slice(0, 10).map((ending) => ({
    job: aJob({
      state: "ended",
      ending,
      prLink: `https://git.example/${"a".repeat(1900)}/pull/1`,
      detail: LONG,
    }),
    words: LONG,
    card: "https://acme.slack.com/archives/C0DOCS0001/p1795309861136000",
    place: PLACE,
  })),
  more: 40,
  gitHubHost: "github.com",
  quotas: Array.from({ length: 60 }, (_, i) => ({
    project: `${i}${LONG.slice(0, 40)}`,
    quota: {
      used: 1,
      ceiling: 99,
      left: 98,
      reserved: 5,
      waiting: 1000,
      pause: { reason: "key_refused" as const, since: 1 },
    },
  })),
}
const FINDING = { check: "redis", level: "fault", says: LONG, next: LONG } as const

test.each([
  ["status", statusMessage(MANY)],
  ["quota", quotaMessage(MANY)],
  ["doctor", doctorMessage(Array(30).fill(FINDING))],
  ["unknown project", unknownProjectMessage(LONG, Array(80).fill("p".repeat(40)))],
  ["files", unreadFilesMessage(Array(50).fill({ id: "F1", name: LONG, why: "too_large" }))],
  ["report", reportMessage(reportOf(Array(10).fill(LONG)), PRIVATE, "text")],
])("whatever it holds, a private answer stays under 4,000 bytes: %s", (_, message) => {
  expect(Buffer.byteLength(message.text)).toBeLessThan(4000)
  expect(checkMessage(message)).toEqual([])
})

test("a text is cut between characters", () => {
  expect(truncateBytes("日本語", 9)).toBe("日本語")
  expect(truncateBytes("日本語", 8)).toBe("日…")
  expect(truncateBytes("a😀", 4)).toBe("a…")
})
