import { expect, test } from "vitest"
import * as notices from "../../src/messages/admin-notices.ts"
import { BEN, CLEO, NOW, trouble } from "./texts/facts.ts"

test.each(["key_refused", "forbidden", "restored", "job_path"] as const)(
  "an operator without admins reads plain text, and of ADMIN_USERS only where one must resume: %s",
  (kind) => {
    const says = notices.operatorNotice({ ...trouble, admins: [], kind })
    expect(says).not.toMatch(/[*`]/)
    expect(says.includes("ADMIN_USERS")).toBe(["forbidden", "restored"].includes(kind))
  },
)

test("a backup without a known time is not dated", () => {
  const says = (backupAt?: number) =>
    notices.adminNotice({ ...trouble, kind: "restored", backupAt }, CLEO)
  expect(says(NOW).text).toMatch(/The backup is from/)
  expect(says().text).not.toMatch(/The backup is from|1970/)
})

test("each notice to an admin says who else got it", () => {
  const admins = [CLEO, BEN]
  const setup = { isInContainer: false, repository: "acme/docs" }
  const month = { used: 2, most: 2, waiting: 1, endsAt: NOW, project: "p1", label: undefined }
  const told = [
    notices.adminNotice({ ...trouble, admins }, CLEO),
    notices.noWorker({ waiting: 3, since: NOW }, admins, CLEO),
    notices.redisFull(admins, CLEO),
    notices.gitHubRefused("token", setup, admins, CLEO),
    ...[0.75, 1].map((share) =>
      notices.budgetNotice({ ...month, share, notice: "2026-11.2" }, admins, CLEO),
    ),
  ]
  for (const { text } of told) expect(text).toMatch(new RegExp(`\nAlso sent to <@${BEN}>\\.$`))
  expect(notices.redisFull([CLEO], CLEO).text).not.toContain("Also sent")
})
