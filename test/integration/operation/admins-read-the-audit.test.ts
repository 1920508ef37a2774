import { describe, expect, test } from "vitest"
import { keys } from "../../../src/redis/keys.ts"
import { createAuditStore } from "../../../src/redis/people/audit.ts"
import { forgetMe } from "../../helpers/forget-me.ts"
import { botMessages, botSays, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ env: { ADMIN_USERS: CLEO } })

/** What an admin gets: the lines of the file, newest first, without its head. */
async function auditOf(h: TestBed): Promise<string[]> {
  const before = h.slack.files().length
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "audit")
  const file = await h.slack.until((s) => s.files()[before])
  const [head, ...lines] = file.content.toString("utf8").trimEnd().split("\r\n")
  expect(head).toBe(
    "\ufeffjob,asked_at,user,channel,project,prompt,agent_job,ending,ended_at,pull_request",
  )
  return lines
}

/** The audit follows the card by a moment. */
async function entries(h: TestBed, holds: (line: string) => boolean): Promise<string[]> {
  for (;;) {
    const lines = await auditOf(h)
    if (lines.some(holds)) return lines
  }
}

test("an admin learns who asked for what, where, when, which job and which ending", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", 'fix the "quickstart", please')
  await botSays(h, /request ready/)
  h.docs.fail({ type: "status", status: 400, kind: "create", times: 1 })
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "=HYPERLINK(1)")
  await botSays(h, /refused the request/)

  const lines = await entries(h, (line) => line.includes(",refused,"))

  const job = h.docs.creations[0]
  const link = h.docs.job(job?.jobId ?? "")?.prLink
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^[2-9a-z]{10},20\d\d-\d\d-\d\dT[\d:.]+Z,/)
  expect(lines[1]).toContain(`,${ADA},${DOCS},docs-site,"fix the ""quickstart"", please",`)
  expect(lines[1]).toContain(`,${job?.jobId},pull_request,`)
  expect(lines[1]?.endsWith(`,${link}`)).toBe(true)
  expect(lines[0]).toContain(`,${BEN},${DOCS},docs-site,'=HYPERLINK(1),,refused,`)
  // Nobody else sees it: it is a file in the admin's own direct messages.
  expect(h.slack.files()[0]?.channels).not.toContain(DOCS)
})

test("who is no admin gets none", async () => {
  const h = await testBed()
  const asked = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "audit")
  expect(asked.shown?.text).toMatch(/Only an admin/)
  expect(h.slack.files()).toEqual([])
})

test("with AUDIT_DAYS=0 there is none, and nothing is kept for one", async () => {
  const h = await testBed({ env: { AUDIT_DAYS: "0" } })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "unaudited")
  await botSays(h, /request ready/)
  const asked = await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "audit")
  expect(asked.shown?.text).toMatch(/No audit is kept/)
  expect(await dumpRedis(h.services.workerRedis)).not.toContain(":audit")
})

test("a file that Slack does not take is told", async () => {
  const h = await testBed()
  h.slack.fail({ kind: "error", error: "missing_scope", method: "files.getUploadURLExternal" })
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "audit")
  await toldPrivately(h, CLEO, /rejected the file \(.?missing_scope/)
})

test("a job that is followed again has one row, with its last ending", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "never", afterMs: 0 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "a long job")
  const card = await botSays(h, /Working on it/)
  await h.slack.as(ADA).select(card, "job_menu", "Stop following")
  const shown = await botSays(h, /No longer followed/)
  await entries(h, (line) => line.includes(",unfollowed,"))
  h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
  await h.slack.as(ADA).click(shown, "check_again")
  await botSays(h, /request ready/)
  const lines = await entries(h, (line) => line.includes(",pull_request,"))
  expect(lines).toHaveLength(1)
})

test("an entry is gone after its days", async () => {
  const h = await testBed()
  const { workerRedis } = h.services
  const clock = { now: Date.now() }
  const store = createAuditStore(workerRedis, { days: 90, now: () => clock.now })
  const kept = async () => {
    const found: string[] = []
    for await (const chunk of store.entries()) found.push(...chunk.map(({ job }) => job))
    return found
  }
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "old")
  await expect.poll(() => workerRedis.xlen(keys.audit)).toBe(2)
  expect(await kept()).toHaveLength(1)
  clock.now += 89 * 86_400_000
  await store.trim()
  expect(await kept()).toHaveLength(1)
  clock.now += 2 * 86_400_000
  expect(await kept()).toEqual([])
  await store.trim()
  expect(await workerRedis.xlen(keys.audit)).toBe(0)
})

test("a note that cannot be read is skipped and named", async () => {
  const h = await testBed()
  const { workerRedis } = h.services
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
  await expect.poll(() => workerRedis.xlen(keys.audit)).toBe(2)
  const id = await workerRedis.xadd(keys.audit, "*", "of", "another version")
  const broken: string[] = []
  const onBroken = (key: string) => void broken.push(key)
  const found = []
  for await (const chunk of createAuditStore(workerRedis, { days: 90, onBroken }).entries())
    found.push(...chunk)
  expect(found).toHaveLength(1)
  expect(broken).toEqual([`${keys.audit} ${id}`])
})

describe("/docs-agent forget-me", () => {
  test("takes a person's words and name out of everything that is kept", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "canary of ada")
    await botSays(h, /request ready/)
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "words of ben")
    await botSays(h, /^(?=.*words of ben)/s)
    await entries(h, (line) => line.includes("canary of ada") && line.includes("pull_request"))

    const told = await forgetMe(h.slack, ADA)

    expect(told.text).not.toMatch(/in line|with the agent/)
    const kept = await dumpRedis(h.services.workerRedis)
    expect(kept).not.toContain("canary of ada")
    expect(kept).not.toContain(`profile:${ADA}`)
    expect(kept).toContain(`profile:${BEN}`)
    expect(kept).toContain("words of ben")
    expect(await auditOf(h)).toEqual([expect.stringContaining("words of ben")])
    const status = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    expect(status.shown?.text).toMatch(/^You have no recent jobs/m)
    const home = JSON.stringify((await h.slack.as(ADA).openHome()).payload)
    expect(home).not.toMatch(/no longer kept|request deleted/)
  })

  test("leaves ids of jobs and the hour's account at once, also of what waits to be confirmed", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    for (const [user, words] of [
      [ADA, "canary of ada"],
      [BEN, "words of ben"],
    ] as const) {
      const person = h.slack.as(user)
      await person.slash(DOCS, "/docs-agent", words)
      await h.slack.until((s) => botMessages(s).find((m) => m.threadTs && m.text.includes(user)))
      await person.slash(DOCS, "/docs-agent", words)
      await person.slash(DOCS, "/docs-agent", "")
      await person.slash(DOCS, "/docs-visitors", "7d /guides")
      await toldPrivately(h, user, /^Docs visitors/)
    }
    const question = await toldPrivately(h, ADA, /made this request/)

    await forgetMe(h.slack, ADA)

    const kept = (await dumpRedis(h.services.workerRedis)).split("\n")
    expect(kept.filter((line) => line.includes("canary of ada"))).toEqual([])
    const own =
      /^\{da\}:(job:\w+|user:\w+|p:docs-site:log|turn:\S+|v:key:\w+:(askers|hour:user:\w+)) = /
    expect(kept.filter((line) => line.includes(ADA) && !own.test(line))).toEqual([])
    // Others keep theirs: a question, a form and a report.
    const others = kept.filter((line) => /^\{da\}:(draft|v:shown):/.test(line))
    expect(others).toEqual(Array.from({ length: 3 }, () => expect.stringContaining(BEN)))
    await h.slack.as(ADA).click(question, "run_anyway")
    await toldPrivately(h, ADA, /question has expired/)
    expect(h.docs.creations).toHaveLength(2)
  })

  test.each(["0", "1", "6", "90"])(
    "finds words that no list names any more, with AUDIT_DAYS=%s",
    async (days) => {
      const h = await testBed({ env: { AUDIT_DAYS: days } })
      h.docs.planAll({ ending: "pull_request", afterMs: 20 })
      for (const [user, words] of [
        [ADA, "canary of ada"],
        [BEN, "words of ben"],
      ] as const) {
        await h.slack.as(user).slash(DOCS, "/docs-agent", words)
        await h.slack.until((s) => botMessages(s).find((m) => m.threadTs && m.text.includes(user)))
      }
      // As the version before leaves them: behind a hundred later ones, and after the audit's days.
      const { workerRedis } = h.services
      await workerRedis.del(keys.user(ADA))

      await forgetMe(h.slack, ADA)

      const kept = (await dumpRedis(workerRedis)).split("\n")
      expect(kept.filter((line) => line.includes("canary of ada"))).toEqual([])
      expect(kept.some((line) => line.includes("words of ben"))).toBe(true)
    },
  )
})

describe("PROMPT_ORIGIN", () => {
  test("ends the prompt with who asked, and where", async () => {
    const h = await testBed({ env: { PROMPT_ORIGIN: "true" } })
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
    await docsUntil(h, (docs) => docs.creations.length === 1)
    await h.slack.as(BEN).mention(DOCS, "and that")
    await docsUntil(h, (docs) => docs.creations.length === 2)
    expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual([
      "fix it\n\nAsked by ada in #docs.",
      "and that\n\nAsked by ben in Slack.",
    ])
  })

  test("whoever was asked first is told of as everybody", async () => {
    const h = await testBed({ env: { PROMPT_ORIGIN: "true" } })
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
    for (const words of ["fix it", "do it"]) {
      const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
      if (!shown) throw new Error("Nothing was asked")
      await h.slack.as(ADA).click(shown, "run_anyway")
    }
    await docsUntil(h, (docs) => docs.creations.length === 3)
    expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual([
      "fix it\n\nAsked by ada in #docs.",
      "fix it\n\nAsked by ada in #docs.",
      "do it\n\nAsked by ada in #docs.",
    ])
  })

  test("is off unless it is asked for", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
    await docsUntil(h, (docs) => docs.creations.length === 1)
    expect(h.docs.creations[0]?.prompt).toBe("fix it")
  })
})
