import { expect } from "vitest"
import { type AuditEntry, auditEntries, trimAudit } from "../../src/jobs/audit-log.ts"
import { key } from "../../src/store/redis-keys.ts"
import { ask } from "../helpers/asked.ts"
import { readDocument } from "../helpers/documents.ts"
import { forgetMe } from "../helpers/forget-me.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"

const DAY_MS = 86_400_000
const { test, testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })

/** Returns the lines of an admin's audit file, newest first, without its header. */
async function auditOf(h: Bed): Promise<string[]> {
  const before = h.slack.files().length
  await ask(h, "audit", CLEO)
  const file = await h.slack.until((s) => s.files()[before])
  const [head, ...lines] = file.content.toString("utf8").trimEnd().split("\r\n")
  expect(head).toBe(
    "\ufeffrequest_id,requested_at,user,channel,project,request,agent_job,outcome,ended_at,pull_request,pull_request_end,pull_request_ended_at",
  )
  return lines
}

/** Resolves to the audit's lines once one of them has this outcome. */
async function auditWith(h: Bed, outcome: string, words = ""): Promise<string[]> {
  for (;;) {
    const lines = await auditOf(h)
    if (lines.some((line) => line.includes(words) && line.includes(`,${outcome},`))) return lines
  }
}

test("OPS-9: an admin learns who asked for what, where, when, which job and which ending, whatever came of the others", async (h) => {
  const root = await h.slack.as(ADA).mention(DOCS, 'write the "guide", please')
  const card = await h.cardOfWaiting(BEN, root, "take this one back")
  await h.slack.as(BEN).click(card, "cancel")
  h.finish("pull_request")
  await h.botSays(/Pull request ready/, { thread: root.ts })
  h.docs.planAll({ ending: "failed", afterMs: 20 })
  h.docs.fail({ type: "status", status: 400, kind: "create", times: 1 })
  await ask(h, "=HYPERLINK(1) in the guide", BEN)
  await h.botSays(/Rejected by the documentation service/)
  await h.slack.as(BEN).mention(DOCS, "and this one fails", { thread: root.ts })

  const lines = await auditWith(h, "failed")

  const job = h.docs.creations[0]?.jobId
  const link = h.docs.job(job ?? "")?.prLink
  const started = "^[2-9a-z]{10},20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z"
  expect(lines).toEqual([
    expect.stringMatching(`${started},${BEN},${DOCS},docs,and this one fails,${job},failed,`),
    expect.stringMatching(`,${BEN},${DOCS},docs,'=HYPERLINK\\(1\\) in the guide,,refused,`),
    expect.stringContaining(`,${BEN},${DOCS},docs,take this one back,,cancelled,`),
    expect.stringMatching(
      `${started},${ADA},${DOCS},docs,"write the ""guide"", please",${job},pull_request,.*,${link},,$`,
    ),
  ])
  // The file is in the admin's direct messages, where nobody else sees it.
  expect(h.slack.files()[0]?.channels).not.toContain(DOCS)
})

test("a request that moved to a job of its own is one entry, with what that job came to", async (h) => {
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  const card = await h.cardOfWaiting(BEN, root, "one more example")
  await h.slack.as(BEN).click(card, "start_separately")
  await h.docsUntil(({ creations }) => creations.length === 2)
  const [first = "", second = ""] = h.docs.creations.map(({ jobId }) => jobId)
  h.docs.finish(first, "pull_request")
  h.docs.finish(second, "failed")
  const lines = await auditWith(h, "failed")
  expect(lines.filter((line) => line.includes(BEN))).toEqual([
    expect.stringContaining(`,one more example,${second},failed,`),
  ])
})

test.each([
  ["who is no admin gets none", CLEO, /Only an admin can .* Ask <@/],
  ["OPS-9: without ADMIN_USERS nobody is an admin", "", /Only an admin can .*`ADMIN_USERS`/],
])("%s", async (_, admins, says) => {
  const h = await testBed({ env: { ADMIN_USERS: admins } })
  const asked = await ask(h, "audit")
  expect(asked.shown?.text).toMatch(says)
  expect(h.slack.files()).toEqual([])
})

test("with AUDIT_DAYS=0 there is none, and nothing is kept for one", async () => {
  const h = await testBed({ env: { AUDIT_DAYS: "0" } })
  h.docs.planAll(READY)
  await ask(h, "an unaudited request")
  await h.botSays(/request ready/)
  const asked = await ask(h, "audit", CLEO)
  expect(asked.shown?.text).toMatch(/The audit log is off/)
  expect(await dumpRedis(h.services.workerRedis)).not.toContain(":audit")
})

test("an entry keeps the beginning of a long request, as the privacy document says, and is gone after its days; one that cannot be read is skipped", async (h) => {
  const { workerRedis } = h.services
  h.docs.planAll(READY)
  const [, most] = /\(the first (\d+) characters\)/.exec(readDocument(".github/PRIVACY.md")) ?? []
  const kept = "😀 ".repeat(Number(most) / 2 - 1)
  await ask(h, `${kept}the end`)
  const [line] = await auditWith(h, "pull_request")
  expect(line).toContain(`,${kept}`)
  expect(line).not.toContain("the end")
  const id = await workerRedis.xadd(key("audit"), "*", "of", "another version")
  const text = { job: "a", ask: "a", user: ADA, channel: DOCS, project: "docs", words: "a" }
  const never = Object.entries({ ...text, at: "9e15" }).flat()
  const noDate = await workerRedis.xadd(key("audit"), "*", ...never)
  const broken = new Set<string>()
  const inDays = (days: number) => ({
    redis: workerRedis,
    now: () => Date.now() + days * DAY_MS,
  })
  const found = async (days: number) => {
    const read: AuditEntry[] = []
    const entries = auditEntries(inDays(days), 90, (name) => void broken.add(name))
    for await (const entry of entries) read.push(entry)
    return read.length
  }
  expect([await found(0), await found(89), await found(91)]).toEqual([1, 1, 0])
  expect([...broken]).toEqual([`${key("audit")} ${noDate}`, `${key("audit")} ${id}`])

  // A worker that starts deletes expired entries, even if no entry is added.
  await trimAudit(inDays(89), 90)
  expect(await found(0)).toBe(1)
  await trimAudit(inDays(91), 90)
  expect(await found(0)).toBe(0)
})

test("ASK-28: forget-me takes a person's entries, name and drafts away, and nobody else's", async (h) => {
  h.docs.planAll(READY)
  await ask(h, "the words of ben", BEN)
  await auditWith(h, "pull_request", "ben")
  await ask(h, "canary words of ada")
  await auditWith(h, "pull_request", "canary")
  await ask(h, "canary words of ada")
  const question = await h.toldPrivately(ADA, /made this request/)
  await forgetMe(h.slack, ADA)
  expect(await auditOf(h)).toEqual([expect.stringContaining("the words of ben")])
  expect(await dumpRedis(h.services.workerRedis)).not.toContain(`own:${ADA}:profile`)
  await h.slack.as(ADA).click(question, "run_anyway")
  await h.toldPrivately(ADA, /This message has expired/)
  expect(h.docs.creations).toHaveLength(2)
})
