import { expect } from "vitest"
import { clickOnAnothers } from "../helpers/forged.ts"
import { askedToForget, CANARY, forgetMe, kept, withWords } from "../helpers/forget-me.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, buttonsOf, CLEO, DOCS, GUS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })

const isExpired = ({ text }: { text: string }) => /This message has expired/.test(text)

test("ASK-28: forget-me asks, and nothing is deleted by another person's click, by Keep it and the other button after it, by an earlier question, or by a click that comes again", async () => {
  const h = await withWords(testBed)
  const expired = (user: string, times: number) =>
    h.slack.until((s) => s.ephemerals(user).filter(isExpired).length === times)
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "words of ben")
  const earlier = await askedToForget(h.slack, ADA)
  for (const action of ["keep_me", "forget_me"])
    await clickOnAnothers(h.slack, BEN, earlier, action)
  await expired(BEN, 2)
  expect(await dumpRedis(h.services.workerRedis)).toContain("words of ben")
  // Ada can still answer it.
  await h.slack.as(ADA).click(earlier, "keep_me")
  await h.slack.until((s) => s.ephemerals(ADA).length === 0)
  await clickOnAnothers(h.slack, ADA, earlier, "forget_me")
  await expired(ADA, 1)
  const later = await askedToForget(h.slack, ADA)
  await clickOnAnothers(h.slack, ADA, earlier, "forget_me")
  await expired(ADA, 2)
  expect(await kept(h)).toBe(true)

  await h.slack.as(ADA).click(later, "forget_me")
  await h.toldPrivately(ADA, /have been deleted/)
  expect(await kept(h)).toBe(false)
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", `${CANARY}, once more`)
  await h.botSaysTimes(6, /request (is )?ready/)
  await clickOnAnothers(h.slack, ADA, later, "forget_me")
  await expired(ADA, 3)
  expect(await kept(h)).toBe(true)
})

test("ASK-28: people who may not ask for anything else can still be forgotten", async (h) => {
  const told = await forgetMe(h.slack, GUS)
  expect(told.text).toMatch(/^Your requests and name have been deleted/)
})

test("who is forgotten while requests are open has those that wait cancelled, words and all, and hears how the others end", async (h) => {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", `${CANARY} runs`)
  await h.botSays(/Working on it/)
  h.docs.fail({ type: "expired_key", kind: "create" })
  for (const n of [1, 2]) await h.slack.as(ADA).slash(DOCS, "/docs-agent", `${CANARY} waits ${n}`)
  await h.botSaysTimes(2, /Paused/)
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
  h.finish("pull_request")
  await h.botSays(/^<@U0ADA00001> Your pull request is ready/)
  expect((await status())?.text).toMatch(/No recent requests/)
  expect(h.docs.creations).toHaveLength(1)
  expect(await kept(h)).toBe(false)
})
