import { describe, expect, test } from "vitest"
import { messagesOf } from "../../../src/jobs/limit/queues.ts"
import { listedProjects } from "../../helpers/listed-projects.ts"
import { botSays, docsUntil } from "../../helpers/reading.ts"
import { joined, restarted } from "../../helpers/restarted.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { queueFacts } from "../../helpers/waiting.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const ID = SECRETS.project
const OTHER = "other-site"
const docs = { projects: [ID, OTHER].map((id) => ({ id, key: SECRETS.apiKey })) }
const testBed = useTestBed({ docs })
const LIMIT = { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }

/** Sends one follow-up, which uses up the hour of messages, then another, which has to wait. */
async function aWaitingFollowUp() {
  const h = await testBed({ env: listedProjects({ docs: ID }, LIMIT) })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /Your pull request is ready/, { thread: root.ts })
  await h.slack.as(ADA).mention(DOCS, "change the first line", { thread: root.ts })
  await docsUntil(h, (service) => service.jobs(ID)[0]?.messages.length === 1)
  await botSays(h, /Updated/, { thread: root.ts })
  await h.slack.as(ADA).mention(DOCS, "change the second line", { thread: root.ts })
  await botSays(h, /next in line/, { thread: root.ts })
  return { h, root }
}

describe("hour and queue of messages belong to the project's id", () => {
  test("hour and queue of messages are kept under another name", async () => {
    const { h } = await aWaitingFollowUp()
    await using again = await restarted(h, { env: listedProjects({ guides: ID }, LIMIT) })
    const [project = ""] = again.services.front.projectKeys
    const facts = await queueFacts(again.services, messagesOf(project))
    expect(facts.log).toHaveLength(1)
    expect(facts.waiting).toHaveLength(1)
    expect(h.docs.jobs(ID)[0]?.messages).toHaveLength(1)
  })

  test("what was found out about messages is known under another name as well", async () => {
    const h = await testBed({ env: listedProjects({ docs: ID }) })
    const [project = ""] = h.services.front.projectKeys
    await h.services.work.operations.learned(project, "message", "absent")
    await using again = await joined(h, { env: listedProjects({ guides: ID }) })
    const [same = ""] = again.services.front.projectKeys
    expect(await again.services.work.operations.isAbsent(same, "message")).toBe(true)
  })
})
