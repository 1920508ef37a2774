import { describe, expect } from "vitest"
import { DAY_MS } from "../../src/lib/time.ts"
import { ask, askUntil } from "../helpers/asked.ts"
import { clickOnAnothers } from "../helpers/forged.ts"
import { READY, UNENDING, useTestBed } from "../helpers/test-bed.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, BEN, buttonsOf, CLEO, DOCS, RANDOM } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })

describe("while a request waits or is carried out", () => {
  test("ASK-22: Edit and run again stays in its thread, as the next round of the same card", async (h) => {
    h.docs.planAll({ ending: "failed", afterMs: 0 })
    const { says } = await h.startThread("write the guide for host-7.internal")
    const reply = await says(/couldn't finish/)
    h.docs.planAll(READY)
    await h.slack.as(ADA).click(reply, "edit_and_run")
    await h.slack.as(ADA).submitModal({ prompt: "write a short guide" })
    await says(/Your pull request is ready/)
    const cards = h.botMessages().filter(({ text }) => /requested a docs change/.test(text))
    expect(cards).toHaveLength(1)
    expect(cards[0]?.text).toContain("requested a docs change: write a short guide")
    expect(h.docs.creations[1]?.prompt).toBe("write a short guide")
  })

  test("ASK-22: Edit and run again stays with its own request, where a newer one of the thread runs", async (h) => {
    const { root, says } = await h.startThread("write the guide")
    const card = await h.cardOfWaiting(BEN, root, "fix the footer too")
    await h.slack.as(BEN).click(card, "start_separately")
    await h.docsUntil(({ creations }) => creations.length === 2)
    h.finish("failed")
    await h.slack.as(ADA).click(await says(/couldn't finish/), "edit_and_run")
    await h.slack.as(ADA).submitModal({ prompt: "write a short guide" })
    expect((await h.promptsSent(3))[2]).toBe("write a short guide")
    await says(/requested a docs change: write a short guide/)
    expect((await h.jobOf(BEN)).waiting).toEqual([])
  })

  test("ASK-22: Edit and run again, sent while its request runs again, leaves that its words and waits for its end", async (h) => {
    h.docs.planAll({ ending: "failed", afterMs: 0 })
    const { says } = await h.startThread("write the guide")
    const reply = await says(/couldn't finish/)
    h.docs.planAll(UNENDING)
    await h.slack.as(ADA).click(reply, "edit_and_run")
    await h.slack.until((s) => s.modal(ADA))
    await h.slack.as(ADA).click(reply, "run_again")
    await h.promptsSent(2)
    await says(/Working on it/)
    await h.slack.as(ADA).submitModal({ prompt: "write a short guide" })
    await says(/requested a docs change: write the guide[\s\S]*write a short guide/)
    h.finish("failed", 1)
    expect((await h.promptsSent(3))[2]).toMatch(/^write a short guide\n[\s\S]*> write the guide/)
    await says(new RegExp(`^<@${ADA}> .*couldn't finish`))
  })

  test("LIM-5, SAFE-5: Mute, which is everybody's, ends the mentions of this person, not the job", async (h) => {
    const card = await askUntil(h, "a long job", /Working on it/)
    await h.slack.as(BEN).click(card, "mute")
    await h.toldPrivately(BEN, /^Muted/)
    expect((await h.jobOf()).muted).toEqual([BEN])
    h.finish("failed")
    const failed = await h.botSays(new RegExp(`^<@${ADA}> .*couldn't finish`))
    await h.slack.as(ADA).click(failed, "run_again")
    await h.docsUntil(({ creations }) => creations.length === 2)
    await h.botSays(/Working on it/)
    await h.slack.as(ADA).click(card, "mute")
    await h.toldPrivately(ADA, /^Muted/)
    h.finish("pull_request", 1)
    await h.botSays(/Pull request ready/)
    const replies = h.slack.thread(DOCS, card.ts).filter(({ ts }) => ts !== card.ts)
    expect(replies.filter(({ text }) => text.includes(ADA))).toEqual([failed])
  })

  test("SAFE-5, FOL-14: a click by somebody else changes nothing and is answered privately; an admin may", async () => {
    const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
    const card = await askUntil(h, "this is mine alone", /Starting in a moment/)
    const job = await h.jobOf()
    const values = [...JSON.stringify(card.blocks).matchAll(/"value":"([^"]*)"/g)]
    const id = `${job.id} ${job.rounds[0]?.id} ${job.rounds[0]?.asks[0]?.id}`
    expect(values.map(([, value]) => value)).toEqual(values.map(() => id))
    expect(values).not.toEqual([])
    await h.slack.as(BEN).click(card, "cancel")
    await h.toldPrivately(BEN, new RegExp(`Only <@${ADA}> or an admin`))
    expect((await h.jobOf()).state).toBe("queued")
    await h.slack.as(CLEO).click(card, "cancel")
    await h.botSays(/Cancelled before it started/)
  })
})

test("SAFE-5: another's follow-up is neither cancelled nor separated", async (h) => {
  const { root } = await h.startThread()
  const card = await h.cardOfWaiting(BEN, root, "and add an example")
  for (const action of ["cancel", "start_separately"]) {
    const told = await h.answerTo(ADA, () => h.slack.as(ADA).click(card, action))
    expect(told.text).toMatch(new RegExp(`^Only <@${BEN}> or an admin`))
  }
})

describe("after an ending", () => {
  test("Run again on card and closing reply together run one more job, on the same card, and the second click is told so", async (h) => {
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    const reply = await askUntil(h, "this one fails first", /<@U0ADA00001> .*couldn't finish/s)
    const card = await h.botSays(/this one fails first[\s\S]*couldn't finish/)
    h.docs.planAll(UNENDING)
    await Promise.all([
      h.slack.as(ADA).click(card, "run_again"),
      h.slack.as(ADA).click(reply, "run_again"),
    ])
    await h.toldPrivately(ADA, /Can't run this again yet: it hasn't finished/)
    const words = "this one fails first"
    expect(await h.promptsSent(2)).toEqual([words, words])
    h.finish("pull_request", 1)
    const done = await h.botSays(/request is ready/, { thread: card.ts })
    expect(done.text).toContain(`<@${ADA}>`)
    const jobs = await h.services.front.jobs.ofUser(ADA)
    expect(jobs.map(({ job }) => job.card)).toEqual([card.ts])
  })

  test.each([
    ["the agent may have started", /^Couldn't confirm/, "run_again"],
    ["the agent may still be at work", /^Still running when last checked/, "look_again"],
  ])(
    "ASK-14: retry where %s starts nothing, and offers what the card does",
    async (_, says, button) => {
      const h = await testBed({ env: { POLL_MAX_MS: "50" } })
      if (button === "run_again")
        h.docs.fail({ type: "reset", when: "after", kind: "create", times: 1 })
      const thread = await h.startThread("write the guide")
      if (button === "look_again") {
        await thread.says(/Working on it/)
        await h.startedEarlier(DAY_MS)
      }
      await thread.says(new RegExp(`^<@${ADA}> ${says.source.slice(1)}`))
      const told = await h.answerTo(ADA, () => thread.say("retry", ADA))
      expect(told.text).toMatch(says)
      expect(buttonsOf(told)).toEqual([button])
      expect((await h.jobOf()).rounds).toHaveLength(1)
      await h.resumeAll()
      h.docs.planAll(READY)
      if (button === "look_again") h.finish("pull_request")
      await h.slack.as(ADA).click(told, button)
      await thread.says(/request is ready/)
    },
  )

  test("what comes too late is told with the way to the card", async (h) => {
    h.docs.planAll(READY)
    const card = await askUntil(h, "this is soon over", /this is soon over[\s\S]*request ready/)
    const { id } = await h.jobOf()
    const late = await h.slack.as(ADA).slash(RANDOM, "/docs-agent", `cancel ${id}`)
    expect(late.shown?.text).toMatch(/has already ended/)
    const link = `/archives/${card.channel}/p${card.ts.replace(".", "")}|View it>`
    expect(JSON.stringify(late.shown?.blocks)).toContain(link)
    await letExpire(h.services.requestRedis, 366 * DAY_MS)
    const { say } = h.inThread(card.ts)
    for (const verb of ["retry", "mute"])
      expect((await h.answerTo(ADA, () => say(verb, ADA))).text).toMatch(/^No request found/)
  })

  test("SAFE-5: what somebody else asked for, only they or an admin run, edit, retry or look for again", async (h) => {
    h.docs.planAll({ ending: "no_pull_request", afterMs: 0 })
    const reply = await askUntil(
      h,
      "this is mine alone",
      /Finished without a pull request[\s\S]*may have been/,
    )
    const click = (action: string) => h.slack.as(BEN).click(reply, action)
    const tries = ["run_again", "edit_and_run", "look_again"].map((action) => () => click(action))
    for (const act of [...tries, () => h.inThread(reply.threadTs ?? "").say("retry")])
      expect((await h.answerTo(BEN, act)).text).toMatch(new RegExp(`^Only <@${ADA}> or an admin`))
    expect(h.slack.modal(BEN)).toBeUndefined()
    expect((await h.jobOf()).rounds).toHaveLength(1)
    await h.slack.as(CLEO).click(reply, "run_again")
    await h.docsUntil(({ creations }) => creations.length === 2)
  })

  test("a button of an older version answers politely", async (h) => {
    const button = { type: "button", action_id: "frobnicate_v0", value: "x" }
    const old = { blocks: [{ type: "actions", elements: [button] }] }
    await clickOnAnothers(h.slack, BEN, old, "frobnicate_v0")
    await h.toldPrivately(BEN, /no longer works|expired/)
  })
})

test("ASK-30: cancel <id> takes back a waiting one; nobody else's", async () => {
  const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
  await askUntil(h, "takes the slot", /Working on it/, BEN)
  await askUntil(h, "this one waits", /queued/)
  const { id } = await h.jobOf()
  expect((await ask(h, `cancel ${id}`, BEN)).shown?.text).toMatch(/Only <@U0ADA00001>/)
  await askUntil(h, `cancel ${id}`, /Cancelled before it started/)
  expect((await ask(h, "cancel")).shown?.text).toMatch(/^Nothing to cancel/)
  for (const other of ["2345678922", "job_12345"])
    expect((await ask(h, `cancel ${other}`)).shown?.text).toMatch(/couldn't find that request/)
})

test("ASK-8, ASK-4, ASK-29: the form, of the command and of the Home tab's button, refuses a blank prompt at its input, and takes a good one", async (h) => {
  await h.slack.as(ADA).openHome()
  await h.slack.as(ADA).click("home", "open_ask")
  const form = await h.slack.until((slack) => slack.modal(ADA))
  expect(form.payload.callback_id).toBe("ask_docs_agent")
  const good = await h.slack.as(ADA).submitModal({ prompt: "line one\nline two" })
  expect(good.accepted).toBe(true)
  await ask(h, "")
  const blank = await h.slack.as(ADA).submitModal({ prompt: " \u200b " })
  expect(blank.errors.prompt).toMatch(/what should change/)
  expect(await h.promptsSent()).toEqual(["line one\nline two"])
})
