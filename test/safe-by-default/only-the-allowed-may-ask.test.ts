import { describe, expect } from "vitest"
import type { Services } from "../../src/compose.ts"
import { composeVerbs } from "../../src/web.ts"
import { clickOnAnothers } from "../helpers/forged.ts"
import { restarted } from "../helpers/restarted.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import {
  ADA,
  ADA_DM,
  BEN,
  BEN_DM,
  CLEO,
  DOCS,
  EDITORS,
  EVE,
  GUS,
  RANDOM,
  SHARED,
} from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })

describe.each([
  ["a guest", GUS, DOCS, /Guests can't/],
  ["a person of another workspace", EVE, SHARED, /other workspaces can't/],
])("%s", (_, user, channel, says) => {
  test("SAFE-4: is refused on every entry, privately, with their id and whom to ask", async (h) => {
    const person = h.slack.as(user)

    await person.slash(channel, "/docs-agent", "let me in")
    const { text, blocks } = await h.toldPrivately(user, says)
    expect(text).toContain(user)
    expect(text).toContain(`<@${CLEO}>`)
    expect(JSON.stringify(blocks)).toContain("let me in")
    await person.slash(channel, "/docs-agent", "")
    await h.slack.until((s) => s.ephemerals(user).length === 2)
    expect(h.slack.modal(user)).toBeUndefined()

    await person.mention(channel, "let me in too")
    await h.slack.until((s) => JSON.stringify(s.ephemerals(user)).includes("let me in too"))
    await person.slash(channel, "/docs-agent", "project=x name the others")
    await h.slack.until((s) => s.ephemerals(user).length === 4)
    expect(JSON.stringify(h.slack.ephemerals(user))).not.toContain("There's no project")
    expect(JSON.stringify(h.slack.ephemerals(user).at(-1)?.blocks)).toContain("name the others")

    const post = await h.slack.as(ADA).post(channel, "about this")
    await person.shortcut(post, "ask_docs_agent")
    expect(h.slack.modal(user)).toBeUndefined()

    await h.slack.as(ADA).slash(channel, "/docs-agent", "a member may ask")
    const card = await h.botSays(/Working on it/, { channel })
    const before = h.slack.ephemerals(user).length
    await person.click(card, "mute")
    await h.slack.until((s) => s.ephemerals(user).length > before)
    expect(h.slack.ephemerals(user).at(-1)?.text).toMatch(says)
    expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual(["a member may ask"])
    expect(h.botMessages(channel)).toHaveLength(1)
  })

  test("may ask when the workspace allows it", async () => {
    const h = await testBed({ env: { ALLOW_EXTERNAL_USERS: "true" } })
    await h.slack.as(user).slash(channel, "/docs-agent", "fix the quickstart")
    await h.botSays(/requested a docs change/, { channel })
    await h.docsUntil(({ creations }) => creations.length === 1)
  })
})

test("a refusal that Slack takes by neither way for now comes later", async (h) => {
  const limited = { kind: "rate_limited", retryAfter: 1, times: 1 } as const
  h.slack.fail({ ...limited, method: "chat.postEphemeral" })
  h.slack.fail({ ...limited, method: "chat.postMessage" })
  await h.slack.as(GUS).mention(DOCS, "let me in")
  await h.toldPrivately(GUS, /Guests can't/)
  expect(h.docs.creations).toEqual([])
})

/** Buttons that are harmless or only about the person who clicks. */
const OPEN_TO_ALL = ["never_mind", "view_pull_request", "review_changes", "forget_me", "keep_me"]
/** Buttons of drafts, which only the draft's author can load. */
const OF_DRAFTS = ["run_anyway", "run_in_direct", "open_draft"]
const ELSEWHERE = ["open_ask", "resume", "allow_more", "drop_waiting"]
const gatedIn = (services: Services) =>
  Object.keys(composeVerbs(services).buttons).filter(
    (action) => ![...OPEN_TO_ALL, ...OF_DRAFTS, ...ELSEWHERE].includes(action),
  )

test("every button that has a handler is refused to a guest, whatever job it names", async (h) => {
  const gated = gatedIn(h.services)
  h.docs.planAll(READY)
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "a member may ask")
  await h.botSays(/ready/i)
  const [{ job } = {}] = await h.services.front.jobs.ofUser(ADA)
  if (!job) throw new Error("nothing was asked")
  const refusals = () =>
    h.slack.ephemerals(GUS).filter(({ text }) => /Guests can't/.test(text)).length

  expect(gated.length).toBeGreaterThan(12)
  for (const action of gated) {
    const button = { type: "button", action_id: action, value: job.id }
    const message = { blocks: [{ type: "actions", elements: [button] }] }
    const before = refusals()
    await clickOnAnothers(h.slack, GUS, message, action)
    await h.slack.until(() => refusals() > before)
  }
  expect(h.slack.modal(GUS)).toBeUndefined()
  const { state, rounds } = job
  expect((await h.services.front.jobs.find(job.id))?.job).toMatchObject({ state, rounds })
  expect(h.docs.requests.filter(({ kind }) => kind !== "get" && kind !== "create")).toEqual([])
  expect(h.docs.creations).toHaveLength(1)
})

test("a refusal is told on the Home tab, after its button, and after the shortcut in a channel that the bot is not in", async () => {
  const whom = new RegExp(`have access to Docs Agent.*<@${CLEO}>`)
  const open = await testBed()
  await open.slack.as(BEN).openHome()
  const h = await testBed({ env: { ALLOWED_USERS: ADA } })
  open.slack.setEventsUrl(`http://127.0.0.1:${h.bot.port}/slack/events`)
  expect(JSON.stringify((await h.slack.as(BEN).openHome()).payload)).toMatch(whom)

  await open.slack.as(BEN).click("home", "open_ask")
  await h.botSays(whom, { channel: BEN_DM })
  expect(open.slack.modal(BEN)).toBeUndefined()

  const post = await h.slack.as(ADA).post(RANDOM, "about this")
  await h.slack.as(BEN).shortcut(post, "ask_docs_agent")
  await h.toldPrivately(BEN, whom)
})

describe("SAFE-4: the allow-lists", () => {
  /** Expects that this person sees no figures, which cost the service nothing either. */
  async function refusedToShow(h: Bed, user: string, says: RegExp) {
    await h.slack.as(user).slash(DOCS, "/docs-visitors", "7d")
    await h.toldPrivately(user, says)
    expect(h.docs.requests.filter(({ kind }) => kind.startsWith("analytics"))).toEqual([])
  }

  test("a channel that is not on the list is refused; one on it is served, and direct messages", async () => {
    const h = await testBed({ env: { ALLOWED_CHANNELS: EDITORS } })
    await refusedToShow(h, BEN, /in this channel/)
    for (const user of [CLEO, ADA])
      await h.slack.as(user).slash(DOCS, "/docs-agent", "may I ask here")
    await h.toldPrivately(CLEO, /can't take requests in this channel/)
    const refused = await h.toldPrivately(ADA, /can't take requests in this channel/)
    await h.slack.as(ADA).click(refused, "run_in_direct")
    await h.botSays(/requested a docs change/, { channel: ADA_DM })
    await h.slack.as(ADA).slash(EDITORS, "/docs-agent", "and may I here")
    await h.botSays(/requested a docs change/, { channel: EDITORS })
    await h.docsUntil(({ creations }) => creations.length === 2)
  })

  test("a person who is not on the list is refused; an admin never is", async () => {
    const h = await testBed({ env: { ALLOWED_USERS: ADA } })
    await refusedToShow(h, BEN, /don't have access/)
    const asking = (user: string) => h.slack.as(user).slash(DOCS, "/docs-agent", `I am ${user}`)
    for (const user of [BEN, ADA, CLEO]) await asking(user)
    const refusals = () => h.slack.ephemerals(BEN).filter(({ text }) => /have access/.test(text))
    await h.slack.until(() => refusals().length === 2)
    await h.docsUntil(({ creations }) => creations.length === 2)
  })
})

test("when Slack does not say who somebody is, nobody is let in on a guess", async (h) => {
  h.slack.fail({ kind: "error", error: "missing_scope", method: "users.info" })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "say who wrote it")
  await h.toldPrivately(ADA, /couldn't verify your Slack account/)
  for (const words of ["status", "quota", "yes", "cancel 2345678922"]) {
    const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
    expect(shown?.text).toMatch(/couldn't verify your Slack account/)
  }
  expect(h.docs.creations).toHaveLength(0)
})

test.each([
  ["who joined", ADA, BEN],
  ["whose turn it is", BEN, ADA],
])(
  "%s and may not ask any more leaves the request; the other's words go",
  async (_, stays, goes) => {
    const first = { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }
    const h = await testBed({ env: first })
    await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "use the whole hour")
    await h.botSays(/Working on it/)
    const root = await h.slack.as(ADA).mention(DOCS, `the words of ${ADA}`)
    await h.botSays(/next in line/, { thread: root.ts })
    await h.slack.as(BEN).mention(DOCS, `the words of ${BEN}`, { thread: root.ts })
    await h.botShows("follow-up is included")

    const env = { JOBS_PER_HOUR: "5", RESERVED_SLOTS: "0", ALLOWED_USERS: stays }
    await using _again = await restarted(h, { env })

    expect((await h.promptsSent(2))[1]).toBe(`the words of ${stays}`)
    await h.toldPrivately(goes, /have access to Docs Agent/)
  },
)
