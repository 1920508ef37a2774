import { Redis } from "ioredis"
import { expect, test } from "vitest"
import { keys } from "../../../src/redis/keys.ts"
import { projectKey } from "../../../src/views/project-key.ts"
import { botSays, docsUntil } from "../../helpers/reading.ts"
import { FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS } from "../../sandbox/slack/seed/ids.ts"

const PROJECTS = [
  { name: "handbook", id: "proj-handbook", key: "svc_handbook", channels: [EDITORS] },
  { name: "api-docs", id: "proj-api", key: "svc_api" },
]
const testBed = useTestBed({
  docs: {
    projects: [
      { id: "docs-site", key: "svc_local_key" },
      ...PROJECTS.map(({ id, key }) => ({ id, key })),
    ],
  },
  env: { DOCS_PROJECTS: JSON.stringify(PROJECTS), ADMIN_USERS: CLEO },
})
type TestBed = Awaited<ReturnType<typeof testBed>>

const ask = (h: TestBed, text: string, channel: string = DOCS, user: string = ADA) =>
  h.slack.as(user).slash(channel, "/docs-agent", text)
const created = (h: TestBed) => h.docs.creations.map(({ projectId, prompt }) => [projectId, prompt])

test("a prompt goes where it says, else to the channel's project, else to the first", async () => {
  const h = await testBed()
  await ask(h, "project=API-docs fix the reference")
  await ask(h, "fix the handbook", EDITORS)
  await ask(h, "fix the site")
  await docsUntil(h, (docs) => docs.creations.length === 3)
  expect(new Set(created(h).map(String))).toEqual(
    new Set([
      "docs-site,fix the site",
      "proj-api,fix the reference",
      "proj-handbook,fix the handbook",
    ]),
  )
  expect((await ask(h, "project=nope fix it")).shown?.text).toMatch(/no project `nope`.*`handbook`/)
  expect((await ask(h, "project=api-docs")).shown?.text).toMatch(/What should change/)
})

test("an admin chooses a channel's project; nobody else does", async () => {
  const h = await testBed()
  expect((await ask(h, "use api-docs")).shown?.text).toMatch(/Only an admin/)
  expect((await ask(h, "use api-docs", DOCS, CLEO)).shown?.text).toMatch(/now go to api-docs/)
  await ask(h, "fix it here")
  await ask(h, "use tabs")
  await docsUntil(h, (docs) => docs.creations.length === 2)
  expect(created(h)).toContainEqual(["proj-api", "fix it here"])
  expect(created(h)).toContainEqual(["proj-api", "use tabs"])
})

test("a choice that somebody sends again does not undo a later one", async () => {
  const h = await testBed()
  await ask(h, "use api-docs", DOCS, CLEO)
  const first = h.slack.deliveries.at(-1)?.delivery
  await ask(h, "use handbook", DOCS, CLEO)
  await h.slack.redeliver(first)
  await ask(h, "fix it here")
  await docsUntil(h, (docs) => docs.creations.length === 1)
  expect(created(h)).toEqual([["proj-handbook", "fix it here"]])
})

test("the form and the card of a waiting job have a picker", async () => {
  const h = await testBed()
  await ask(h, "")
  await h.slack.until((slack) => slack.modal(ADA))
  await h.slack.as(ADA).submitModal({ prompt: "from the form", project: projectKey("handbook") })
  await docsUntil(h, (docs) => docs.creations.length === 1)
  expect(created(h)).toEqual([["proj-handbook", "from the form"]])

  const refused = h.docs.fail({ type: "expired_key", kind: "create", projectId: "docs-site" })
  await ask(h, "to the wrong project")
  const card = await botSays(h, /rejected the API key/)
  const [mine] = await h.services.jobs.ofUser(ADA, 1)
  const option = (name: string) => `${mine?.id} ${projectKey(name)}`
  await h.slack.as(BEN).select(card, "move_project", option("api-docs"))
  expect((await h.services.jobs.get(mine?.id ?? ""))?.project).toBe("docs-site")
  await h.slack.as(ADA).select(card, "move_project", option("api-docs"))
  await docsUntil(h, (docs) => docs.creations.length === 2)
  expect(created(h)).toContainEqual(["proj-api", "to the wrong project"])
  refused.clear()
})

test("a key that the service refuses pauses its own project only", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  h.docs.fail({ type: "expired_key", kind: "create", projectId: "proj-api" })
  await ask(h, "project=api-docs waits")
  await botSays(h, /rejected the API key/)
  await ask(h, "project=handbook runs")
  await botSays(h, /request ready/)
  expect(created(h)).toEqual([["proj-handbook", "runs"]])
})

test("where others wait for something else nobody looks at their queue for every job", async () => {
  const timing = { ...FAST_TIMING, restMs: 60_000 }
  const h = await testBed({
    timing,
    docs: { projects: [{ id: "docs-site", key: "svc_local_key" }] },
  })
  await ask(h, "project=handbook fix the handbook")
  await botSays(h, /rejected the API key/)
  const { workerRedis } = h.services
  if (!(workerRedis instanceof Redis)) throw new Error("Not a single server")
  const looks: string[][] = []
  const monitor = await workerRedis.monitor()
  const { wait } = keys.project("handbook")
  monitor.on("monitor", (_time: string, args: string[]) => {
    if (args[0]?.startsWith("eval") && args.includes(wait)) looks.push(args)
  })
  try {
    // As many cards as two channels take at once.
    const where = [DOCS, EDITORS, DOCS, EDITORS, DOCS, EDITORS]
    for (const [n, channel] of where.entries()) {
      await ask(h, `project=docs-site fix page ${n}`, channel)
      await docsUntil(h, (docs) => docs.creations.length === n + 1)
    }
    expect(looks.length).toBeLessThan(where.length)
  } finally {
    monitor.disconnect()
  }
})
