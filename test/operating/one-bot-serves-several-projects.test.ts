import { expect } from "vitest"
import { allAsks } from "../../src/jobs/rounds.ts"
import { askUntil } from "../helpers/asked.ts"
import { type Bed, UNENDING, useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS } from "../sandbox/slack/index.ts"

const PROJECTS = [
  { name: "handbook", id: "proj-handbook", key: "svc_handbook", channels: [EDITORS] },
  { name: "api-docs", id: "proj-api", key: "svc_api" },
]
const { test } = useTestBed({
  docs: {
    projects: [
      { id: "docs-site", key: "svc_local_key" },
      ...PROJECTS.map(({ id, key }) => ({ id, key })),
    ],
  },
  env: { DOCS_PROJECTS: JSON.stringify(PROJECTS), ADMIN_USERS: CLEO },
})

const ask = (h: Bed, text: string, channel: string = DOCS, user: string = ADA) =>
  h.slack.as(user).slash(channel, "/docs-agent", text)
const created = (h: Bed) => h.docs.creations.map(({ projectId, prompt }) => [projectId, prompt])

test("OPS-12: a prompt goes where it says, else to the channel's project, else to the first", async (h) => {
  await ask(h, "project=API-docs fix the reference")
  await ask(h, "fix the handbook", EDITORS)
  await ask(h, "fix the site")
  await h.docsUntil((docs) => docs.creations.length === 3)
  expect(new Set(created(h).map(String))).toEqual(
    new Set([
      "docs-site,fix the site",
      "proj-api,fix the reference",
      "proj-handbook,fix the handbook",
    ]),
  )
  expect((await ask(h, "project=nope fix the site")).shown?.text).toMatch(/nope.*handbook/s)
  await ask(h, "project=nope")
  const refusals = () => h.slack.ephemerals(ADA).filter(({ text }) => /nope.*handbook/s.test(text))
  await h.slack.until(() => refusals().length === 2)
})

test("a form that was asked for a project's sends to it, unless it says otherwise", async (h) => {
  await ask(h, "project=api-docs")
  await h.slack.as(ADA).submitModal({ prompt: "fix the reference" })
  await h.docsUntil((docs) => docs.creations.length === 1)
  expect(created(h)).toEqual([["proj-api", "fix the reference"]])
})

test("a form about a message of a thread goes where the thread's request went, unless it says otherwise", async (h) => {
  const root = await h.slack.as(ADA).mention(DOCS, "project=api-docs fix the reference")
  await h.botSays(/Working on it/, { thread: root.ts })
  const said = await h.slack.as(BEN).post(DOCS, "keys last 90 days", { thread: root.ts })
  await h.slack.as(BEN).shortcut(said, "ask_docs_agent")
  await h.slack.as(BEN).submitModal({ prompt: "document that as well" })
  const found = await h.services.front.jobs.inThread(DOCS, root.ts)
  expect(found.map(({ job }) => allAsks(job).map(({ user }) => user))).toEqual([[ADA, BEN]])
})

test("an edit that goes to another project leaves the failed request its words, and joins no job there", async (h) => {
  const root = await h.slack.as(ADA).mention(DOCS, "project=api-docs fix the reference")
  await h.botSays(/Working on it/, { thread: root.ts })
  h.docs.planAll({ ending: "failed", afterMs: 0 })
  await h.slack.as(ADA).mention(DOCS, "project=handbook fix the guide", { thread: root.ts })
  const failed = await h.botSays(/couldn't finish/, { thread: root.ts })
  h.docs.planAll(UNENDING)
  await h.slack.as(ADA).click(failed, "edit_and_run")
  await h.slack.as(ADA).submitModal({ prompt: "fix the guide's links", project: "api-docs" })
  await h.docsUntil((docs) => docs.creations.length === 3)
  await h.slack.as(ADA).click(failed, "run_again")
  await h.docsUntil((docs) => docs.creations.length === 4)
  expect(created(h).slice(2)).toEqual([
    ["proj-api", "fix the guide's links"],
    ["proj-handbook", "fix the guide"],
  ])
})

test("ASK-33: an edit that names another project moves no request, and says how to ask there", async (h) => {
  h.docs.fail({ type: "expired_key", kind: "create", projectId: "proj-api" })
  const message = await h.slack.as(ADA).mention(DOCS, "project=api-docs fix the reference")
  await h.botSays(/replaces the API key/)
  const edit = (words: string) => h.slack.as(ADA).edit(message, `@docs-agent ${words}`)
  for (const [n, words] of [
    "project=handbook fix the reference",
    "project=nope fix it",
  ].entries()) {
    await edit(words)
    const told = await h.slack.until((s) => s.ephemerals(ADA)[n])
    expect(told.text).toMatch(/^Your edit can't change the project\..*project=/)
  }
  await edit("project=API-docs fix the page")
  await h.botSays(/fix the page/)
  await edit("fix the whole page")
  await h.botSays(/fix the whole page/)
  expect(created(h)).toEqual([])
})

test("a key that the service refuses pauses its own project only", async (h) => {
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  h.docs.fail({ type: "expired_key", kind: "create", projectId: "proj-api" })
  await askUntil(h, "project=api-docs waits for its key", /replaces the API key/)
  await askUntil(h, "project=handbook runs at once", /request is ready/)
  expect(created(h)).toEqual([["proj-handbook", "runs at once"]])
})
