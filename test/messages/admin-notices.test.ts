import { expect, test } from "vitest"
import {
  adminMessage,
  faultNotice,
  monthNotice,
  operatorLine,
  troubleNotice,
  workerNotice,
} from "../../src/messages/admin-notices.ts"
import { BEN, CLEO } from "../sandbox/slack/index.ts"
import { NOW } from "./texts/facts.ts"
import { trouble } from "./texts/overview.ts"

test.each(["key_refused", "forbidden", "restored", "job_path"] as const)(
  "an operator without admins reads plain text, and of ADMIN_USERS only where one must resume: %s",
  (kind) => {
    const says = operatorLine(troubleNotice({ ...trouble, admins: [], kind }))
    expect(says).not.toMatch(/[*`]/)
    const needsPerson = ["forbidden", "restored"].includes(kind)
    expect(says.includes("ADMIN_USERS")).toBe(needsPerson)
    expect(says.includes("node dist/main.js resume")).toBe(needsPerson)
  },
)

test("a backup without a known time is not dated", () => {
  const says = (backupAt?: number) =>
    operatorLine(troubleNotice({ ...trouble, kind: "restored", backupAt }))
  expect(says(NOW)).toMatch(/The backup is from/)
  expect(says()).not.toMatch(/The backup is from|1970/)
})

test("LIM-17: a notice about an older Redis bounds what waits, because some of it was sent since", () => {
  for (const kind of ["restored", "unknown_hour"] as const) {
    const says = (waiting: number) => operatorLine(troubleNotice({ ...trouble, kind, waiting }))
    expect(says(120)).toContain("Up to 120 requests are waiting.")
    expect(says(120)).not.toContain("nothing is lost")
    expect(says(0)).toContain("No requests are waiting.")
  }
})

test("each notice to an admin says who else got it", () => {
  const month = { used: 2, most: 2, waiting: 1, endsAt: NOW, project: "p1", label: undefined }
  const notices = [
    troubleNotice(trouble),
    workerNotice(3, NOW),
    faultNotice("redis_full", {}),
    faultNotice("github_token", {}),
    ...[0.75, 1].map((share) => monthNotice({ ...month, share, notice: "2026-11.2" }, {})),
  ]
  for (const notice of notices) {
    const told = adminMessage(notice, [CLEO, BEN], CLEO)
    expect(told.text).toMatch(new RegExp(`\nAlso sent to <@${BEN}>\\.$`))
    expect(adminMessage(notice, [CLEO], CLEO).text).not.toContain("Also sent")
  }
})
