import { describe, expect, test } from "vitest"
import { listedProjects as listed } from "../helpers/listed-projects.ts"
import { findingsOf, readyz } from "../helpers/of-itself.ts"
import { joined, pass, restarted } from "../helpers/restarted.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import { queueFacts } from "../helpers/waiting.ts"
import { MovableClock } from "../sandbox/kit/movable-clock.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"
import { eventsUrl, SECRETS } from "../sandbox/test-bed.ts"

const ID = SECRETS.project
const OTHER = "other-site"
const docs = { projects: [ID, OTHER].map((id) => ({ id, key: SECRETS.apiKey })) }
const LIMIT = { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0", ADMIN_USERS: CLEO }
const { testBed } = useTestBed({ docs })

const ask = ({ slack }: Bed, text: string, user = ADA) =>
  slack.as(user).slash(DOCS, "/docs-agent", `fix what ${text}`)
const endings = (h: Bed) => h.botMessages().filter(({ threadTs }) => threadTs)

describe("LIM-12: hour, queue and running jobs belong to the project's id", () => {
  test("they are kept under another name, in a list instead of a single project, and the other way round", async () => {
    const limit = { JOBS_PER_HOUR: "2", RESERVED_SLOTS: "0" }
    const h = await testBed({ env: limit })
    await ask(h, "runs already")
    await ask(h, "runs as well", BEN)
    await h.docsUntil(({ creations }) => creations.length === 2)
    await ask(h, "waits")
    await h.botSays(/next in line/)
    for (const [n, env] of [listed({ docs: ID }), listed({ guides: ID }), {}].entries()) {
      await using again = await restarted(h, { env: { ...env, ...limit } })
      const facts = await queueFacts(again.services)
      expect(facts.slots).toHaveLength(2)
      expect(facts.waiting).toHaveLength(1)
      const running = h.docs.creations[n]
      if (!running) continue
      h.docs.finish(running.jobId, "pull_request")
      await h.slack.until(() => endings(h).length === n + 1)
    }
    expect(endings(h).every(({ text }) => text.includes("pull request is ready"))).toBe(true)
    expect(h.docs.creations).toHaveLength(2)
  })

  test("a name that another project had stands for the new one only", async () => {
    const h = await testBed({ env: listed({ docs: ID }) })
    await ask(h, "is of the first")
    await h.docsUntil(({ creations }) => creations.length === 1)
    await using again = await restarted(h, { env: listed({ docs: OTHER, guides: ID }) })
    const [second, first] = again.services.front.settings.projects.keys
    expect((await queueFacts(again.services, second)).slots).toEqual([])
    expect((await queueFacts(again.services, first)).slots).toHaveLength(1)
    await ask(h, "is of the second")
    await h.docsUntil(({ creations }) => creations.length === 2)
    expect(h.docs.jobs(OTHER).map(({ prompt }) => prompt)).toEqual(["fix what is of the second"])
  })
})

describe("a project that is no longer configured", () => {
  test("starts nothing until it is configured again; its cards, status and the doctor say so instead of a start", async () => {
    const clock = new MovableClock()
    const h = await testBed({ env: listed({ docs: ID }, LIMIT), clock })
    await ask(h, "runs")
    await h.docsUntil(({ creations }) => creations.length === 1)
    await ask(h, "waits")
    await h.botSays(/starts around[\s\S]*next in line/)

    const gone = await restarted(h, { env: listed({ more: OTHER }, LIMIT), clock })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    const status = await h.toldPrivately(ADA, /Queued/)
    expect(status.text).toMatch(/removed: Paused until <@\w+> adds the project back/)
    expect(status.text).not.toMatch(/next in line/)
    expect(await findingsOf(gone)).toContainEqual(
      expect.objectContaining({ says: expect.stringMatching(/waiting for a project that isn't/) }),
    )
    expect((await readyz(gone)).text).toContain("waiting for a project that isn't")
    await pass(gone, clock, 120)
    await h.botSays(/fix what waits[\s\S]*Paused until <@\w+> adds the project back/)
    expect(h.docs.creations).toHaveLength(1)
    await gone[Symbol.asyncDispose]()

    await using _again = await joined(h, { env: listed({ docs: ID }, LIMIT), clock })
    await h.docsUntil(({ creations }) => creations.length === 2)
  })

  test("leaves no card at its first words, whose place nobody had worked out yet", async () => {
    const clock = new MovableClock()
    const env = listed({ docs: ID }, { ...LIMIT, START_DELAY_SECONDS: "60" })
    const h = await testBed({ env, clock })
    await ask(h, "waits a moment")
    await h.botSays(/Starting in a moment/)

    await using _again = await restarted(h, { env: listed({ more: OTHER }, LIMIT), clock })
    clock.moveOn(5 * 60_000)
    await h.botSays(/fix what waits[\s\S]*Paused until <@\w+> adds the project back/)
  })

  test("is named in the status of whoever has only a follow-up waiting", async () => {
    const h = await testBed({ env: listed({ docs: ID }, LIMIT), plan: READY })
    const { ts: thread } = await h.slack.as(ADA).mention(DOCS, "write the guide")
    await h.botSays(/Your pull request is ready/, { thread })
    await h.slack.as(ADA).mention(DOCS, "make it a bit shorter", { thread })
    await h.docsUntil(({ jobs }) => jobs(ID)[0]?.messages.length === 1)
    await h.slack.as(ADA).mention(DOCS, "and a bit friendlier", { thread })
    await h.botSays(/Update queued/)

    await using _again = await restarted(h, { env: listed({ more: OTHER }, LIMIT) })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    const { text } = await h.toldPrivately(ADA, /Queued/)
    expect(text).toMatch(/removed: Paused until <@\w+> adds the project back/)
  })

  test("is left alone while another process may have it", async () => {
    const plan = { ending: "pull_request", afterMs: 300 } as const
    const h = await testBed({ env: listed({ docs: ID }), plan })
    await using _other = await joined(h, { env: listed({ more: OTHER }) })
    h.slack.setEventsUrl(eventsUrl(h.bot.port))
    await ask(h, "is of the first")
    expect((await h.closingReply()).text).toMatch(/pull request is ready/)
  })
})
