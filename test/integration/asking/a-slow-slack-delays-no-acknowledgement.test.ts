import { describe, expect, test } from "vitest"
import { keys } from "../../../src/redis/keys.ts"
import { fieldsRead } from "../../../src/slack/payloads.ts"
import { botMessages, botSays, docsUntil } from "../../helpers/reading.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { VERIFICATION_TOKEN } from "../../sandbox/slack/delivery/payload-parts.ts"
import { ADA, BEN, CLEO, DOCS, GUS } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ timing: { ...FAST_TIMING, profileWithinMs: 20 } })

/** As a day later: the bot asks Slack who everybody is. */
async function strangersAgain(h: TestBed): Promise<void> {
  await h.restartBot()
  await h.services.requestRedis.del([ADA, BEN, CLEO].map(keys.profile))
}

function prompts({ docs }: TestBed): string[] {
  return docs.creations.map(({ prompt }) => prompt).sort()
}

/** What is kept for later, as text. */
async function kept({ services: { requestRedis } }: TestBed): Promise<string[]> {
  const ids = await requestRedis.zrange(keys.deferred, "0", "-1")
  const records = await Promise.all(ids.map((id) => requestRedis.get(keys.deferredPayload(id))))
  return records.map(String)
}

describe("a Slack that is slow to say who somebody is costs no acknowledgement", () => {
  test.each(["http", "socket"] as const)(
    "of a command or a mention, by %s: what they ask for is kept, and done once",
    async (mode) => {
      const h = await testBed({ mode })
      h.docs.planAll({ ending: "pull_request", afterMs: 20 })
      const held = h.slack.hold("users.info")
      const { shown, error } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
      expect(error).toBeUndefined()
      expect(shown?.text).toMatch(/Slack is slow right now.* I'll answer here/)
      const asked = await h.slack.as(BEN).mention(DOCS, "and this")
      expect(asked.deliveries).toMatchObject([{ ok: true }])
      expect((await kept(h)).join()).toMatch(/fix it.*and this/)
      // Slack's retry finds it.
      const again = await h.slack.redeliver(undefined, { number: 1, reason: "http_timeout" })
      expect(again.ok).toBe(true)
      expect(await kept(h)).toHaveLength(2)

      held.release()
      await botSays(h, /request ready/)
      await botSays(h, /request ready/, { thread: asked.ts })
      await h.slack.redeliver(undefined, { number: 2, reason: "http_timeout" })
      expect(prompts(h)).toEqual(["and this", "fix it"])
      await expect.poll(() => kept(h)).toEqual([])
    },
  )

  test("of a form or a click: neither asks for more than it would at once", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
    const failed = await botSays(h, /couldn't finish/)
    await h.slack.as(BEN).slash(DOCS, "/docs-agent")
    await h.slack.until((slack) => slack.modal(BEN))
    await strangersAgain(h)
    const held = h.slack.hold("users.info")
    expect(await h.slack.as(ADA).click(failed, "try_again")).toMatchObject({ ok: true })
    expect(await h.slack.as(BEN).submitModal({ prompt: "from the form" })).toMatchObject({
      accepted: true,
    })
    expect(prompts(h)).toEqual(["fix it"])
    held.release()
    await docsUntil(h, (docs) => docs.creations.length === 3)
    expect(prompts(h)).toEqual(["fix it", "fix it", "from the form"])
  })

  test("and who may not ask is told so privately, when Slack has said who they are", async () => {
    const h = await testBed()
    const held = h.slack.hold("users.info")
    await h.slack.as(GUS).slash(DOCS, "/docs-agent", "fix it")
    const asked = await h.slack.as(GUS).mention(DOCS, "fix it")
    held.release()
    const told = /Guests can't use Docs Agent here/
    await h.slack.until(
      (slack) => slack.ephemerals(GUS).filter(({ text }) => told.test(text)).length === 2,
    )
    expect(asked.deliveries).toMatchObject([{ ok: true }])
    expect(h.docs.creations).toEqual([])
    expect(botMessages(h.slack)).toEqual([])
  })

  test("nor the names of those who are mentioned", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    const held = h.slack.hold("users.info")
    const asked = await h.slack.as(ADA).mention(DOCS, "ask @ben about it")
    expect(asked.deliveries).toMatchObject([{ ok: true }])
    held.release()
    await botSays(h, /Working on it/)
    expect(prompts(h)).toEqual(["ask @ben about it"])
  })
})

test("what is attached to a request is kept with it", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "never", afterMs: 0 })
  const held = h.slack.hold("users.info")
  const files = [{ name: "notes.md", content: "last 90 days" }]
  await h.slack.as(ADA).mention(DOCS, "use the attached", { files })
  held.release()
  await botSays(h, /Working on it/)
  expect(prompts(h).join()).toMatch(/notes\.md.*use the attached/s)
})

describe("what is kept for later", () => {
  const testBed = useTestBed({ timing: { ...FAST_TIMING, profileWithinMs: 20, leaseMs: 500 } })

  /** What a process keeps that dies before it acts upon it. */
  async function leftBehind(h: TestBed, id: string, user = ADA) {
    h.docs.planAll({ ending: "never", afterMs: 0 })
    const held = h.slack.hold("users.info")
    const { payload } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    held.release()
    const body = fieldsRead({ ...payload, user_id: user, text: "left behind", trigger_id: id })
    return h.services.deferred.keep({ id: `command:${id}`, body }, user)
  }

  test("is acted upon by another process, when the one that kept it died", async () => {
    const h = await testBed()
    expect(await leftBehind(h, "1.2.3")).toBe("kept")
    await botSays(h, /Working on it/)
    expect(prompts(h)).toEqual(["left behind"])
  })

  test("waits until Slack says who is asking, however often it fails to", async () => {
    const h = await testBed()
    const matching = ({ user }: { user?: unknown }) => user === BEN
    const asked = { method: "users.info", matching, times: 3 } as const
    const away = h.slack.fail({ kind: "status", status: 503, ...asked })
    await leftBehind(h, "1.2.3", BEN)
    await botSays(h, /Working on it/)
    expect(away.hits).toBe(3)
    expect(prompts(h)).toEqual(["left behind"])
    expect(h.slack.ephemerals(BEN)).toEqual([])
    await expect.poll(() => kept(h)).toEqual([])
  })

  test("is kept once, also when it was done", async () => {
    const h = await testBed()
    await leftBehind(h, "1.2.3")
    expect(await leftBehind(h, "1.2.3")).toBe("seen")
    await botSays(h, /Working on it/)
    expect(await leftBehind(h, "1.2.3")).toBe("seen")
  })

  test.each([
    ["fifty deliveries", 50, "fix it", "one more"],
    // No longer than a request may be: what is too long is answered, and waits for nobody.
    ["2 MB", 16, "漢".repeat(39_990), "文".repeat(39_000)],
  ])(
    "is bounded for each person, to %s: the next is turned away, and others are heard",
    async (_, n, text, more) => {
      const h = await testBed()
      const held = h.slack.hold("users.info")
      const { payload } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")
      const keep = (id: number, user: string) => {
        const body = fieldsRead({ ...payload, text, trigger_id: `1.${id}` })
        return h.services.deferred.keep({ id: `command:${id}`, body }, user)
      }
      for (let id = 0; id < n; id += 1) expect(await keep(id, ADA)).toBe("kept")
      expect(await keep(n, ADA)).toBe("full")
      expect(await keep(n + 1, BEN)).toBe("kept")
      const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", more)
      expect(shown?.text).toMatch(/requests are already waiting for it/)
      // What was acted upon makes room, and is still known.
      await h.services.deferred.settle("command:0")
      expect(await keep(0, ADA)).toBe("seen")
      expect(await keep(n, ADA)).toBe("kept")
      held.release()
    },
  )

  test.each(["fix the canary", "status canaries"])(
    "comes to nothing when its person is forgotten, also after it was claimed: %s",
    async (words) => {
      const h = await testBed()
      const held = h.slack.hold("users.info")
      await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
      expect(await kept(h)).toEqual([expect.stringContaining("canar")])
      await h.services.forgetting.forget(ADA)
      held.release()
      await expect.poll(() => kept(h)).toEqual([])
      expect(await dumpRedis(h.services.workerRedis)).not.toContain("canar")
      expect(botMessages(h.slack)).toEqual([])
      expect(h.slack.ephemerals(ADA)).toHaveLength(1)
    },
  )

  test("holds no more than the bot reads, no secret, and goes with its person", async () => {
    const h = await testBed()
    const held = h.slack.hold("users.info")
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
    const [record = ""] = await kept(h)
    expect(record).toContain("fix it")
    expect(record).not.toContain(VERIFICATION_TOKEN)
    expect(record).not.toContain("user_name")
    await h.services.forgetting.forget(ADA)
    expect(await kept(h)).toEqual(["null"])
    held.release()
  })
})
