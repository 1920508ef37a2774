import { describe, expect, test } from "vitest"
import { botSays, buttonsOf, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, ADA_DM, BEN, CLEO, DOCS, RANDOM } from "../../sandbox/slack/seed/ids.ts"
import type { Message } from "../../sandbox/slack/workspace/model.ts"

const testBed = useTestBed({ env: { ADMIN_USERS: CLEO } })
type TestBed = Awaited<ReturnType<typeof testBed>>

const ask = ({ slack }: TestBed, text: string, user = ADA) =>
  slack.as(user).slash(DOCS, "/docs-agent", text)

describe("buttons of a running job", () => {
  async function running(h: TestBed) {
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await ask(h, "a long job")
    return botSays(h, /Working on it/)
  }

  test("Stop following ends the notices, not the job", async () => {
    const h = await testBed()
    const card = await running(h)
    await h.slack.as(ADA).select(card, "job_menu", "Stop following")
    const shown = await botSays(h, /No longer followed/)
    expect(buttonsOf(shown)).toEqual(["check_again"])
    h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
    await h.slack.as(ADA).click(shown, "check_again")
    await botSays(h, /request ready/)
  })

  test("Check now asks the service at once", async () => {
    const h = await testBed({ env: { POLL_MIN_MS: "60000", POLL_MAX_MS: "60000" } })
    const card = await running(h)
    h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
    await h.slack.as(ADA).select(card, "job_menu", "Check now")
    await botSays(h, /request ready/)
  })

  test("Check now does not ask again within seconds", async () => {
    const h = await testBed({ env: { POLL_MIN_MS: "60000", POLL_MAX_MS: "60000" } })
    const card = await running(h)
    await h.slack.as(ADA).select(card, "job_menu", "Check now")
    await h.slack.as(ADA).select(card, "job_menu", "Check now")
    await toldPrivately(h, ADA, /Checked a few seconds ago/)
  })

  test("a click by somebody else changes nothing and is answered privately; an admin may", async () => {
    const h = await testBed()
    const card = await running(h)
    await h.slack.as(BEN).select(card, "job_menu", "Stop following")
    await toldPrivately(h, BEN, new RegExp(`Only <@${ADA}> or an admin`))
    expect((await h.services.jobs.ofUser(ADA, 1))[0]?.state).toBe("active")
    await h.slack.as(CLEO).select(card, "job_menu", "Stop following")
    await botSays(h, /No longer followed/)
  })
})

describe("after an ending", () => {
  test("Try again on card and closing reply together run one more job", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await ask(h, "fails first")
    const reply = await botSays(h, /<@U0ADA00001> .*couldn't finish/s)
    const card = await h.slack.until((s) =>
      s
        .channel(DOCS)
        .messages()
        .find((m) => /couldn't finish/.test(m.text)),
    )
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await Promise.all([
      h.slack.as(ADA).click(card, "try_again"),
      h.slack.as(ADA).click(reply, "try_again"),
    ])
    expect(await h.services.jobs.ofUser(ADA, 5)).toHaveLength(2)
    await botSays(h, /request ready/, { thread: card.ts })
    expect(h.docs.creations).toHaveLength(2)
  })

  test("Try again on the card says in which thread it goes on; in that thread nothing is said", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await ask(h, "fails first")
    const card = await botSays(h, /fails first[\s\S]*couldn't finish/)
    await h.slack.as(ADA).click(card, "try_again")
    await toldWithLink(h, card, "its thread")
    const told = h.slack.ephemerals(ADA).length

    const again = await botSays(h, /fails first[\s\S]*couldn't finish/, { thread: card.ts })
    await h.slack.as(ADA).click(again, "try_again")
    await docsUntil(h, (docs) => docs.creations.length === 3)
    expect(h.slack.ephemerals(ADA)).toHaveLength(told)
  })

  test("what comes too late is told with the way to the card", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await ask(h, "soon over")
    const card = await botSays(h, /soon over[\s\S]*request ready/)
    const [job] = await h.services.jobs.ofUser(ADA, 1)
    await h.slack.as(ADA).slash(RANDOM, "/docs-agent", `cancel ${job?.id}`)
    await toldPrivately(h, ADA, /already ended/)
    await toldWithLink(h, card, "view it")
  })

  test("Run again after an unknown outcome creates once more, and only then", async () => {
    const h = await testBed()
    h.docs.fail({ type: "reset", when: "after", kind: "create", times: 1 })
    await ask(h, "unclear")
    const reply = await botSays(h, /couldn't confirm/, {
      thread: (await botSays(h, /unclear/)).ts,
    })
    expect(h.docs.creations).toHaveLength(1)
    await h.slack.as(ADA).click(reply, "run_again")
    // The unknown outcome paused the queue for a moment; an admin need not wait.
    await h.services.queue.resume("docs-site")
    await docsUntil(h, (docs) => docs.creations.length === 2)
  })

  test("a button of an older version answers politely", async () => {
    const h = await testBed()
    await ask(h, "old card")
    const card = await botSays(h, /old card/)
    const { url } = await responseUrlOf(h, card)
    await h.slack.deliver(oldClick(card, url), {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    await toldPrivately(h, BEN, /button has expired/)
  })
})

/** Ada is told with a link to that message; in words her notification has no address. */
function toldWithLink(h: TestBed, { channel, ts }: Message, words: string): Promise<Message> {
  const link = `/archives/${channel}/p${ts.replace(".", "")}|${words}>`
  return h.slack.until((s) =>
    s.ephemerals(ADA).find(({ blocks }) => JSON.stringify(blocks).includes(link)),
  )
}

/** A real click delivers a working response_url; the old button borrows it. */
async function responseUrlOf(h: TestBed, card: { channel: string; ts: string }) {
  await h.slack
    .as(BEN)
    .select(card, "job_menu", "Stop following")
    .catch(() => h.slack.as(BEN).click(card, "cancel"))
  const clicked = h.slack.deliveries.findLast(({ delivery }) => delivery.kind === "interactive")
  const url = clicked?.delivery.payload.response_url
  return { url: typeof url === "string" ? url : "" }
}

function oldClick(card: { channel: string; ts: string }, response_url: string): string {
  const payload = {
    type: "block_actions",
    user: { id: BEN, team_id: "T0LOCAL001" },
    team: { id: "T0LOCAL001" },
    channel: { id: card.channel },
    message: { ts: card.ts },
    response_url,
    actions: [{ action_id: "frobnicate_v0", block_id: "b", type: "button", value: "x" }],
  }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}

describe("words of /docs-agent", () => {
  test("help, status and quota are private", async () => {
    const h = await testBed()
    expect((await ask(h, "help")).shown?.text).toContain("/docs-agent &lt;what to change&gt;")
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await ask(h, "one job")
    await botSays(h, /Working on it/)
    expect((await ask(h, "status")).shown?.text).toMatch(/Working.*one job/)
    expect((await ask(h, "quota")).shown?.text).toMatch(/1 of 99 jobs used.*98 left/s)
  })

  test("cancel <id> takes back a waiting one; nobody else's", async () => {
    const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await ask(h, "takes the slot", BEN)
    await botSays(h, /Working on it/)
    await ask(h, "waits")
    const card = await botSays(h, /Next in line/)
    const id = /`(\w{10})`/.exec(card.text)?.[1] ?? ""
    expect((await ask(h, `cancel ${id}`, BEN)).shown?.text).toMatch(/Only <@U0ADA00001>/)
    expect((await ask(h, `cancel ${id}`)).shown?.text).toMatch(/Cancelled/)
    await botSays(h, /Cancelled before it started/)
    expect((await ask(h, "cancel")).shown?.text).toMatch(/Which job should I cancel/)
    for (const other of ["2345678922", "job_1"])
      expect((await ask(h, `cancel ${other}`)).shown?.text).toMatch(/There's no such job/)
  })
})

describe("the form", () => {
  test("a blank prompt is refused at its input, a good one is asked for", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await ask(h, "")
    await h.slack.until((slack) => slack.modal(ADA))
    const blank = await h.slack.as(ADA).submitModal({ prompt: " \u200b " })
    expect(blank.errors.prompt).toMatch(/what should change/)
    await h.slack.until((slack) => slack.modal(ADA))
    const good = await h.slack.as(ADA).submitModal({ prompt: "line one\nline two" })
    expect(good.accepted).toBe(true)
    await botSays(h, /request ready/)
    expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual(["line one\nline two"])
  })

  test("from a message's shortcut it quotes the message, and the card goes to its thread", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    const about = await h.slack.as(BEN).post(DOCS, "the limits page is <wrong>")
    await h.slack.as(ADA).shortcut(about, "ask_docs_agent")
    await h.slack.until((slack) => slack.modal(ADA))
    await h.slack.as(ADA).submitModal({ prompt: "correct it" })
    await botSays(h, /request ready/, { thread: about.ts })
    const [prompt = ""] = h.docs.creations.map((creation) => creation.prompt)
    expect(prompt).toContain("> ben: the limits page is <wrong>")
    expect(prompt.endsWith("\n\ncorrect it")).toBe(true)
  })

  test("another channel can be chosen; where the bot is not, the person hears it directly", async () => {
    const h = await testBed()
    await ask(h, "")
    await h.slack.until((slack) => slack.modal(ADA))
    await h.slack.as(ADA).submitModal({ prompt: "elsewhere", channel: RANDOM })
    const told = await botSays(h, /can't post/, { channel: ADA_DM })
    expect(told.text).toContain("/invite")
    expect(h.docs.creations).toHaveLength(0)
  })
})

describe("the Home tab", () => {
  test("shows my jobs with links, the hour, and how to ask", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await ask(h, "shown at home")
    await botSays(h, /request ready/)
    const view = JSON.stringify((await h.slack.as(ADA).openHome()).payload)
    expect(view).toContain("shown at home")
    expect(view).toMatch(/acme\/docs#\d+/)
    expect(view).toContain("1 of 99 jobs used")
    expect(view).not.toContain('"text":"Admin"')
    expect(JSON.stringify((await h.slack.as(CLEO).openHome()).payload)).toContain('"text":"Admin"')
  })

  test("has Cancel beside what waits, which takes it off the list", async () => {
    const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await ask(h, "takes the hour")
    await botSays(h, /Working on it/)
    await ask(h, "waits for the next")
    await botSays(h, /Next in line/)
    const home = await h.slack.as(ADA).openHome()
    expect(buttonsOf({ blocks: home.payload })).toEqual([
      "open_ask",
      "how_to_ask",
      "refresh_home",
      "job_menu",
      "cancel",
    ])
    await h.slack.as(ADA).click("home", "cancel")
    await botSays(h, /Cancelled before it started/)
    const after = await h.slack.until((slack) => {
      const view = JSON.stringify(slack.home(ADA)?.payload ?? {})
      return /\*Cancelled\*/.test(view) ? view : undefined
    })
    expect(after).not.toContain('"action_id":"cancel"')
  })

  test("explains how to ask behind a button", async () => {
    const h = await testBed()
    await h.slack.as(ADA).openHome()
    await h.slack.as(ADA).click("home", "how_to_ask")
    const help = await h.slack.until((slack) => slack.modal(ADA))
    expect(JSON.stringify(help.payload)).toContain("Mention me in a thread")
  })

  test("its button opens the form", async () => {
    const h = await testBed()
    await h.slack.as(ADA).openHome()
    await h.slack.as(ADA).click("home", "open_ask")
    const form = await h.slack.until((slack) => slack.modal(ADA))
    expect(form.payload.callback_id).toBe("ask_docs_agent")
  })
})
