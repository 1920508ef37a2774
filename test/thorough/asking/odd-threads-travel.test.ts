import { describe, expect, test } from "vitest"
import { botMessages, botSays, docsUntil } from "../../helpers/reading.ts"
import { promptOf, talk } from "../../helpers/talk.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS, EDITORS, RANDOM } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed()
/** Options that turn every follow-up into a new job. */
const OFF = { env: { DOCS_MESSAGE_PATH: "off" } }

test("names files without fetching them, and spells mentions", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const root = await h.slack.as(ADA).post(DOCS, "see @ben <script> & https://example.com/a")
  await h.slack.as(BEN).post(DOCS, "the log", {
    thread: root.ts,
    files: [{ name: "error.log", content: "secret content" }],
  })
  const prompt = await promptOf(h, root, "write it up")
  expect(prompt).toContain("> ada: see @ben <script> & https://example.com/a")
  expect(prompt).toContain("[attached: error.log (text/plain, 14 B)]")
  expect(prompt).not.toContain("secret content")
})

describe("a mention in a thread where others than people speak", () => {
  test("carries what other apps said in blocks and attachments", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    const root = h.slack.postAsApp(DOCS, {
      text: "Deploy",
      blocks: [
        { type: "header", text: { type: "plain_text", text: "Deploy of v2 <failed>" } },
        {
          type: "section",
          text: { type: "mrkdwn", text: `*Step 3* by <@${BEN}> &amp; others` },
          fields: [{ type: "plain_text", text: "Took 4 min" }],
        },
        {
          type: "actions",
          elements: [{ type: "button", text: { type: "plain_text", text: "Retry now" } }],
        },
      ],
    })
    h.slack.postAsApp(DOCS, {
      thread: root.ts,
      attachments: [
        {
          pretext: "Build log",
          title: "Error",
          text: "page not found",
          fields: [{ title: "Path", value: "/keys" }],
          fallback: "never shown",
        },
      ],
    })
    const prompt = await promptOf(h, root, "document that in the docs")
    const quoted = prompt.split("\n").filter((line) => line.startsWith("> "))
    expect(quoted).toEqual([
      "> Deploys: Deploy of v2 <failed>",
      "> *Step 3* by @ben & others",
      "> Took 4 min",
      "> Deploys: Build log",
      "> Error",
      "> page not found",
      "> Path: /keys",
    ])
  })

  test("carries forwarded messages, and no preview of a link", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    const original = await h.slack.as(BEN).post(RANDOM, "keys last <90> days")
    const root = await h.slack.as(ADA).post(DOCS, "", { forward: original })
    h.slack.postAsApp(DOCS, {
      thread: root.ts,
      text: "see <https://example.com/a>",
      attachments: [{ from_url: "https://example.com/a", title: "A preview", text: "of a page" }],
    })
    const prompt = await promptOf(h, root, "document that in the docs")
    expect(prompt).toContain("> ada: Forwarded from Ben: keys last <90> days")
    expect(prompt).toContain("> Deploys: see https://example.com/a")
    expect(prompt).not.toContain("A preview")
  })
})

test("somebody whom Slack does not show is left out, and nobody else is", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const hidden = { method: "users.info", kind: "error", error: "user_not_visible" } as const
  h.slack.fail({ ...hidden, matching: ({ user }) => user === BEN })
  const root = await talk(h, ["the quickstart is old", "said by ben"])
  const prompt = await promptOf(h, root, "write it up")
  expect(prompt).toContain("> ada: the quickstart is old")
  expect(prompt).not.toContain("said by ben")
})

test("the newest of 8,000 messages travel, with at most twenty reads", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const root = await talk(
    h,
    Array.from({ length: 8000 }, (_, n) => `point ${n} of a long talk`),
  )
  const prompt = await promptOf(h, root, "turn this into a how-to")
  expect(prompt).toContain("Older ones were left out.")
  const numbers = [...prompt.matchAll(/: point (\d+) of a long talk/g)].map(([, n]) => Number(n))
  expect(numbers.at(-1)).toBe(7999)
  expect(numbers.length).toBeGreaterThan(90)
  expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n))
  const reads = h.slack.calls.filter(({ method }) => method === "conversations.replies")
  expect(reads.length).toBeLessThanOrEqual(20)
})

describe("a second mention, where messages are turned off", () => {
  test("carries a long first prompt to its end", async () => {
    const h = await testBed(OFF)
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    const long = `write ${"the guide ".repeat(280)}and end here`
    const root = await h.slack.as(ADA).mention(DOCS, long)
    await botSays(h, /request ready/)
    await h.slack.as(BEN).mention(DOCS, "shorten it in the docs", { thread: root.ts })
    await docsUntil(h, (docs) => docs.creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toContain(`> ${long}\n`)
  })

  test("after one without a pull request carries the first one's words, and nothing that the bot said", async () => {
    const h = await testBed(OFF)
    h.docs.planAll({ ending: "no_pull_request", afterMs: 20 })
    const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
    await botSays(h, /Finished without/, { thread: root.ts })
    await h.slack.as(BEN).mention(DOCS, "shorten it in the docs", { thread: root.ts })
    await docsUntil(h, (docs) => docs.creations.length === 2)
    const prompt = h.docs.creations[1]?.prompt
    expect(prompt).toContain("> write the guide")
    expect(prompt).not.toMatch(/requested a docs change|Finished without/)
  })
})

test("what the bot itself posts starts nothing, even where Slack does not mark it", async () => {
  const h = await testBed()
  const user = h.services.slack.state.identity?.user ?? ""
  const event = { type: "app_mention", user, text: `<@${user}> fix the intro`, channel: DOCS }
  expect((await h.slack.sendEvent({ ...event, ts: "1795000000.000200" })).ok).toBe(true)
  // A request is stored before Slack gets its acknowledgement.
  expect(await h.services.front.jobs.ofUser(user, 1)).toEqual([])
  expect(h.slack.ephemerals(user)).toEqual([])
})

test("what another app posts starts nothing, also in a person's name", async () => {
  const h = await testBed()
  const event = {
    type: "app_mention",
    user: ADA,
    text: "<@U0DOCSAGENT> fix the intro",
    channel: DOCS,
  }
  const { ok } = await h.slack.sendEvent({ ...event, ts: "1795000000.000100", bot_id: "B0OTHER" })
  expect(ok).toBe(true)
  expect(await h.services.front.jobs.ofUser(ADA, 1)).toEqual([])
  expect(h.slack.ephemerals(ADA)).toEqual([])
})

test("a private channel works like a public one", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).mention(EDITORS, "fix it in private")
  await botSays(h, /request ready/, { channel: EDITORS })
  expect(botMessages(h.slack)).toEqual([])
})
