import { DateTime } from "luxon"
import { describe, expect, test } from "vitest"
import { keys } from "../../../src/redis/keys.ts"
import { botMessages, closingReply, toldPrivately } from "../../helpers/reading.ts"
import { clientOf } from "../../helpers/slack-client.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { MovableClock } from "../../sandbox/clock/movable-clock.ts"
import type { PullAction } from "../../sandbox/github/pull.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS, type TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ followsPulls: true })
type More = Parameters<typeof testBed>[0]

/** A job that ended with a pull request, which is followed. */
async function withPull(more: More = {}) {
  const h = await testBed(more)
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  const reply = await closingReply(h)
  const [pull] = h.github.pulls()
  if (!pull) throw new Error("The job opened no pull request")
  const act = (action: PullAction) => h.github.act(pull.repository, pull.number, action)
  return { h, reply, pull, act }
}

/** Waits until card and closing reply say this. */
async function bothSay({ slack }: TestBed, says: RegExp) {
  await slack.until((s) => {
    const both = botMessages(s).filter(({ text }) => says.test(text))
    return both.some(({ threadTs }) => threadTs) && both.some(({ threadTs }) => !threadTs)
  })
}

/** Resolves when GitHub has come to such a state. */
function gitHubUntil({ github }: TestBed, holds: () => boolean) {
  return new Promise<void>((resolve) => {
    const look = () => {
      if (!holds()) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = github.subscribe(look)
    look()
  })
}

const posts = ({ slack }: TestBed) =>
  slack.calls.filter(({ method }) => method === "chat.postMessage").length

describe("after the link, card and closing reply say what people do with the pull request", () => {
  test("merged, by whom, without a new message", async () => {
    const { h, act } = await withPull()
    const before = posts(h)
    act({ do: "merge", by: "ben" })
    await bothSay(h, /Merged by ben: acme\/docs#214/)
    expect(posts(h)).toBe(before)
  })

  test("draft, ready, changes requested, approved, closed and open again, each as it changes", async () => {
    const { h, act } = await withPull()
    const before = posts(h)
    const turns: [PullAction, RegExp][] = [
      [{ do: "draft" }, /Draft pull request: acme/],
      [{ do: "ready" }, /Pull request ready: acme/],
      [{ do: "review", by: "ben", state: "CHANGES_REQUESTED" }, /Changes requested: acme/],
      [{ do: "review", by: "ben", state: "APPROVED" }, /Approved: acme/],
      [{ do: "close" }, /Closed without merging: acme/],
      [{ do: "reopen" }, /Approved: acme/],
    ]
    for (const [action, says] of turns) {
      act(action)
      await bothSay(h, says)
    }
    expect(posts(h)).toBe(before)
  })

  test("a comment changes nothing, nor does the approval of one while another wants changes", async () => {
    const { h, act } = await withPull()
    act({ do: "review", by: "ben", state: "CHANGES_REQUESTED" })
    await bothSay(h, /Changes requested/)
    act({ do: "review", by: "cleo", state: "APPROVED" })
    act({ do: "review", by: "ben", state: "COMMENTED" })
    act({ do: "merge", by: null })
    await bothSay(h, /Merged: acme/)
  })

  test("both jobs of one pull request say it, which has one record", async () => {
    const { h, reply, act } = await withPull()
    await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: reply.threadTs })
    await h.slack.until(
      (s) =>
        botMessages(s).filter(({ text }) => /^<@\w+> Pull request ready: acme/.test(text))
          .length === 2,
    )
    act({ do: "merge", by: "ben" })
    await h.slack.until(
      (s) => botMessages(s).filter(({ text }) => /Merged by ben/.test(text)).length === 4,
    )
  })

  // "message_not_found" is all that Slack's chat.update says of a message that somebody deleted.
  test("the closing reply says it where somebody deleted the card", async () => {
    const { h, reply, act } = await withPull()
    await bothSay(h, /Pull request ready/)
    const ts = botMessages(h.slack).find(({ threadTs }) => !threadTs)?.ts ?? ""
    await clientOf(h.slack, SECRETS.botToken).chat.delete({ channel: DOCS, ts })
    act({ do: "merge", by: "ben" })
    await h.slack.until((s) =>
      botMessages(s).some((m) => m.ts === reply.ts && /Merged by ben/.test(m.text)),
    )
  })

  test("over a restart", async () => {
    const { h, act } = await withPull()
    await h.restartBot(async () => void act({ do: "merge", by: "ben" }))
    await bothSay(h, /Merged by ben/)
  })

  // "Making a conditional request does not count against your primary rate limit if a 304 response is
  // returned and the request was made while correctly authorized."
  test("what did not change costs nothing of the token's hour", async () => {
    const { h } = await withPull()
    const answers = () => h.github.requests.filter(({ status }) => status === 304).length
    await gitHubUntil(h, () => answers() > 4)
    expect(h.github.rate(SECRETS.gitHubToken)?.used).toBe(2)
  })
})

describe("odd answers of GitHub", () => {
  test("a token that expires is told to admins once; links still work", async () => {
    const h = await testBed({ env: { ADMIN_USERS: CLEO } })
    h.github.expireTokens()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    await closingReply(h)
    const direct = await h.slack.until((s) => {
      const im = s.channels().find((c) => c.kind === "im" && c.members.has(CLEO))
      return im && botMessages(s, im.id)[0]
    })
    expect(direct.text).toContain("GitHub rejected the token")
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "another one")
    await h.slack.until((s) => botMessages(s).filter(({ threadTs }) => threadTs).length === 2)
    await h.bot.worker?.passes.pulls?.()
    const im = h.slack.channels().find((c) => c.kind === "im" && c.members.has(CLEO))
    expect(botMessages(h.slack, im?.id).length).toBe(1)
  })

  test("a repository that the token may not read is told to admins by name", async () => {
    const { h, pull } = await withPull({ env: { ADMIN_USERS: CLEO } })
    h.github.setReadable(pull.repository, false)
    const direct = await h.slack.until((s) => {
      const im = s.channels().find((c) => c.kind === "im" && c.members.has(CLEO))
      return im && botMessages(s, im.id)[0]
    })
    expect(direct.text).toContain("can't read acme/docs")
  })

  test("a pull request that was deleted is not asked for any more", async () => {
    const { h, pull } = await withPull({ env: { ADMIN_USERS: CLEO } })
    h.github.deletePull(pull.repository, pull.number)
    await gitHubUntil(h, () => h.github.requests.filter(({ status }) => status === 404).length > 0)
    await h.bot.worker?.stop()
    expect(await h.services.workerRedis.zcard(keys.pulls)).toBe(0)
    expect(h.slack.channels().some((c) => c.kind === "im" && c.members.has(CLEO))).toBe(false)
  })

  test("a repository that moved is followed to where it is", async () => {
    const { h, pull } = await withPull()
    h.github.moveRepository(pull.repository, "acme/guides")
    h.github.act("acme/guides", pull.number, { do: "merge", by: "ben" })
    await bothSay(h, /Merged by ben/)
  })

  test("the token goes nowhere but to the API, wherever a redirect leads", async () => {
    const { h, act } = await withPull()
    h.github.fail({ type: "redirect", location: `${h.docs.url}/elsewhere`, times: 3 })
    act({ do: "merge", by: "ben" })
    await bothSay(h, /Merged by ben/)
    expect(h.docs.requests.some(({ path }) => path.includes("elsewhere"))).toBe(false)
  })

  test.each([
    ["a 304 without being asked for one", { type: "status", status: 304, body: "empty" }],
    ["a page", { type: "status", status: 200, body: "html" }],
    ["an outage", { type: "status", status: 502, body: "html" }],
    ["an odd state", { type: "field", name: "state", value: "half open" }],
    ["no JSON", { type: "body", text: "{" }],
    ["a reset", { type: "reset" }],
    ["a secondary limit", { type: "secondary_limit", retryAfter: 1 }],
  ] as const)("%s says nothing, and is asked again", async (_, fault) => {
    const h = await testBed({ env: { ADMIN_USERS: CLEO } })
    h.github.fail({ ...fault, times: 1 })
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    await closingReply(h)
    const [pull] = h.github.pulls()
    h.github.act(pull?.repository ?? "", pull?.number ?? 0, { do: "merge", by: "ben" })
    await bothSay(h, /Merged by ben/)
    expect(h.slack.channels().some((c) => c.kind === "im" && c.members.has(CLEO))).toBe(false)
  })
})

describe("a pull request that nobody touches", () => {
  const reminders = ({ slack }: TestBed) =>
    botMessages(slack).filter(({ text }) => /Still open/.test(text))

  /** A working morning of hers, some days from now. */
  function toMorning(clock: MovableClock, days: number) {
    let at = DateTime.fromMillis(clock.now(), { zone: "UTC" }).plus({ days })
    while (at.weekday !== 3) at = at.plus({ days: 1 })
    clock.moveOn(at.set({ hour: 10, minute: 30 }).toMillis() - clock.now())
  }

  test("is brought up once in its thread, for who asked, over restarts", async () => {
    const clock = new MovableClock()
    const { h, reply, pull } = await withPull({ clock })
    toMorning(clock, 7)
    const reminder = await h.slack.until(() => reminders(h)[0])
    expect(reminder.threadTs).toBe(reply.threadTs)
    expect(reminder.text).toContain(`<@${ADA}>`)
    expect(reminder.text).toMatch(/is waiting for a review/)
    await h.restartBot()
    toMorning(clock, 7)
    await gitHubLooks(h)
    h.github.act(pull.repository, pull.number, { do: "merge", by: "ben" })
    await bothSay(h, /Merged by ben/)
    expect(reminders(h)).toHaveLength(1)
  })

  test("one that is reviewed before the reminder could be posted is brought up when it rests again", async () => {
    const clock = new MovableClock()
    const { h, act } = await withPull({ clock })
    const limited = { kind: "rate_limited", retryAfter: 30, times: 1 } as const
    const fault = h.slack.fail({ method: "chat.postMessage", ...limited })
    toMorning(clock, 7)
    await h.slack.until(() => fault.hits > 0)
    act({ do: "review", by: "ben", state: "APPROVED" })
    await gitHubLooks(h)
    clock.moveOn(60_000)
    await bothSay(h, /Approved/)
    await h.bot.worker?.passes.announce?.()
    expect(reminders(h)).toEqual([])
    toMorning(clock, 7)
    await h.slack.until(() => reminders(h).length === 1)
    expect(reminders(h)[0]?.text).toMatch(/is approved but not merged yet/)
  })

  test.each([
    ["a draft", { do: "draft" }, {}],
    ["a merged one", { do: "merge" }, {}],
    ["one where reminders are off", { do: "ready" }, { PR_REMINDER_DAYS: "0" }],
  ] as const)("%s is not brought up", async (_, action, env) => {
    const clock = new MovableClock()
    const { h, act } = await withPull({ clock, env, github: { asDrafts: action.do === "ready" } })
    act(action)
    await bothSay(h, { draft: /Draft/, merge: /Merged/, ready: /ready/ }[action.do])
    toMorning(clock, 7)
    // What is merged is not looked at any more. Of the others a look may have been in hand before.
    if (action.do === "merge") await h.bot.worker?.passes.pulls?.()
    else await gitHubLooks(h)
    await h.bot.worker?.passes.announce?.()
    await h.bot.worker?.stop()
    expect(reminders(h)).toEqual([])
  })

  test("in a quiet thread it is not brought up", async () => {
    const clock = new MovableClock()
    const { h, reply } = await withPull({ clock })
    await h.slack.as(ADA).mention(DOCS, "quiet", { thread: reply.threadTs })
    await toldPrivately(h, ADA, /only post the result/)
    toMorning(clock, 7)
    await gitHubLooks(h)
    await h.bot.worker?.passes.announce?.()
    expect(reminders(h)).toEqual([])
  })
})

/** Resolves when it was looked at twice from now on. */
async function gitHubLooks(h: TestBed) {
  const seen = h.github.requests.length
  await gitHubUntil(h, () => h.github.requests.length > seen + 4)
}

test("links of other hosts are shown and not asked about", async () => {
  const h = await testBed({ docs: { repositoriesUrl: "https://git.example" } })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  expect((await closingReply(h)).text).toMatch(/Pull request ready/)
  expect(h.github.requests).toEqual([])
})

test("the token appears nowhere", async () => {
  const lines: string[] = []
  const { h, act } = await withPull({
    env: { LOG_LEVEL: "debug" },
    log: { write: (l) => void lines.push(l) },
  })
  h.github.fail({ type: "status", status: 500, message: SECRETS.gitHubToken, times: 1 })
  act({ do: "merge", by: SECRETS.gitHubToken })
  await bothSay(h, /Merged/)
  const dump = JSON.stringify([lines, h.slack.calls, botMessages(h.slack)])
  expect(dump).not.toContain(SECRETS.gitHubToken)
})
