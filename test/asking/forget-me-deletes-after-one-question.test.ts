import { describe, expect } from "vitest"
import { clickOnAnothers } from "../helpers/forged.ts"
import { askedToForget, CANARY, forgetMe, kept, withWords } from "../helpers/forget-me.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, buttonsOf, CLEO, DOCS, GUS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })

const isExpired = ({ text }: { text: string }) => /This message has expired/.test(text)

/** Starts a request, then queues two, as the service now rejects the key. */
async function withOpenJobs() {
  const h = await testBed()
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", `${CANARY} runs`)
  await h.botSays(/Working on it/)
  h.docs.fail({ type: "expired_key", kind: "create" })
  for (const n of [1, 2]) await h.slack.as(ADA).slash(DOCS, "/docs-agent", `${CANARY} waits ${n}`)
  await h.slack.until(() => h.botMessages().filter((m) => /Paused/.test(m.text))[1])
  return h
}

describe("ASK-28: forget-me asks before it deletes", () => {
  test("another person's click on it deletes nothing of either, nor does Keep it or the other button after it", async () => {
    const h = await withWords(testBed)
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "words of ben")
    const question = await askedToForget(h.slack, ADA)
    for (const action of ["keep_me", "forget_me"]) {
      await clickOnAnothers(h.slack, BEN, question, action)
    }
    await h.slack.until((s) => s.ephemerals(BEN).filter(isExpired).length === 2)
    expect(await kept(h)).toBe(true)
    expect(await dumpRedis(h.services.workerRedis)).toContain("words of ben")
    // Ada can still answer it.
    await h.slack.as(ADA).click(question, "keep_me")
    await h.slack.until((s) => s.ephemerals(ADA).length === 0)
    await clickOnAnothers(h.slack, ADA, question, "forget_me")
    await h.toldPrivately(ADA, /This message has expired/)
    expect(await kept(h)).toBe(true)
    h.goesOn = "Ben's request starts"
  })

  test("of two questions the later one counts, and its click that comes again deletes nothing of what was asked since", async () => {
    const h = await withWords(testBed)
    const earlier = await askedToForget(h.slack, ADA)
    const later = await askedToForget(h.slack, ADA)
    await h.slack.as(ADA).click(earlier, "forget_me")
    await h.toldPrivately(ADA, /This message has expired/)
    expect(await kept(h)).toBe(true)
    await h.slack.as(ADA).click(later, "forget_me")
    await h.toldPrivately(ADA, /have been deleted/)
    expect(await kept(h)).toBe(false)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", `${CANARY}, once more`)
    await h.slack.until(() => h.botMessages().filter((m) => /request (is )?ready/.test(m.text))[3])
    await clickOnAnothers(h.slack, ADA, later, "forget_me")
    await h.slack.until((s) => s.ephemerals(ADA).filter(isExpired).length === 2)
    expect(await kept(h)).toBe(true)
  })

  test("people who may not ask for anything else can still be forgotten", async (h) => {
    const told = await forgetMe(h.slack, GUS)
    expect(told.text).toMatch(/^Your requests and name have been deleted/)
  })
})

test("who is forgotten while requests are open has those that wait cancelled, words and all, and hears how the others end", async () => {
  const h = await withOpenJobs()
  const running = h.docs.creations[0]?.jobId ?? ""
  const question = await askedToForget(h.slack, ADA)
  expect(question.visibleTo).toBe(ADA)
  expect(await kept(h)).toBe(true)

  await h.slack.as(ADA).click(question, "forget_me")
  await h.toldPrivately(ADA, /have been deleted/)
  expect(await kept(h)).toBe(false)
  const cards = () => h.botMessages().filter(({ text }) => /^Cancelled/m.test(text))
  const [card] = await h.slack.until(() => (cards().length === 2 ? cards() : undefined))
  if (!card) throw new Error("no card")
  expect(card.text).not.toContain(CANARY)
  expect(buttonsOf(card)).toEqual([])
  const row = /Working.*\(request deleted\)/
  const status = async () => (await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")).shown
  expect((await status())?.text).toMatch(row)
  h.docs.finish(running, "pull_request")
  await h.botSays(/^<@U0ADA00001> Your pull request is ready/)
  expect((await status())?.text).toMatch(/No recent requests/)
  expect(h.docs.creations).toHaveLength(1)
  expect(await kept(h)).toBe(false)
})
