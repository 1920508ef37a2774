import { expect, test } from "vitest"
import { TIMING } from "../../src/config/timing.ts"
import { createOptionalOperations } from "../../src/docs-service/optional-operations.ts"
import { previewAsked } from "../../src/jobs/pull-transitions.ts"
import { previewPass } from "../../src/pulls/preview-pass.ts"
import { afterTheLink } from "../helpers/after-the-link.ts"
import { followedJob, keepJob } from "../helpers/followed-job.ts"
import { botSays, buttonsOf, closingReply, posts } from "../helpers/reading.ts"
import { useRedis } from "../helpers/redis.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, DOCS } from "../sandbox/slack/seed/ids.ts"

const redis = useRedis()
const testBed = useTestBed()
const ids = Array.from({ length: 6 }, (_, n) => `job-${n}`)

/** Stores one job with a branch per person, who has requested a preview. */
async function asked(...users: string[]) {
  const h = await afterTheLink(redis())
  for (const [n, by] of users.entries()) {
    const id = ids[n] ?? ""
    await keepJob(redis(), followedJob({ id, branch: `b${n}` }), [])
    await h.jobs.change(id, ({ job, now }) => previewAsked(job, { by, now }))
  }
  const built: string[] = []
  const deps = {
    store: h.store,
    jobs: h.jobs,
    docs: {
      async buildPreview(_: string, branch: string) {
        built.push(branch)
        return { statusId: "s" }
      },
      previewStatus: async () => ({ status: "running" as const }),
    },
    operations: createOptionalOperations(redis(), { message: "", preview: "preview" }),
    timing: TIMING,
    creationDeadlineMs: 0,
    keyIdOf: () => "print",
    gitHubHost: "github.com",
    isOwnDirect: async () => false,
    outbound: {
      post: async () => ({ channel: "C1", ts: "2.1" }),
      postEphemeral: async () => {},
      respond: async () => {},
      direct: async () => ({ channel: "D1", ts: "2.2" }),
    },
    replyUrl: async () => undefined,
  }
  return { ...h, built, deps, pass: () => previewPass(deps) }
}

test("one click builds a preview: the reply says so, then has the link and what changed", async () => {
  const previewPlan = { ending: "success", queuedMs: 10, afterMs: 100 } as const
  const h = await testBed({ docs: { previewPlan } })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  const reply = await closingReply(h)
  expect(buttonsOf(reply)).toContain("build_preview")
  const before = posts(h)
  await h.slack.as(BEN).click(reply, "build_preview")
  const ready = await botSays(h, /Preview ready\. \d+ files? changed/)
  expect(ready.ts).toBe(reply.ts)
  expect(JSON.stringify(ready.blocks)).toContain(`${h.docs.url}/previews/`)
  expect(h.docs.requests.filter(({ kind }) => kind === "preview")).toHaveLength(1)
  expect(posts(h)).toBe(before)
})

test("five start each minute; the others start by themselves in the next", async () => {
  const h = await asked("U1", "U1", "U1", "U1", "U2", "U3")
  await h.pass()
  expect(h.built).toHaveLength(5)
  h.clock.now += 60_000
  await h.pass()
  expect(h.built).toHaveLength(6)
  expect(new Set(h.built).size).toBe(6)
})

test("what a process died over is not sent a second time", async () => {
  const h = await asked("U1")
  h.deps.docs.buildPreview = () => Promise.reject(new Error("killed"))
  await expect(h.pass()).rejects.toThrow("killed")
  expect((await h.find("job-0")).preview?.state).toBe("sending")
  h.clock.now += 31_000
  await h.pass()
  expect((await h.find("job-0")).preview?.state).toBe("unknown")
})

test("of a pull request that was merged meanwhile nothing is built", async () => {
  const h = await asked("U1")
  const { pull } = await h.find("job-0")
  await h.jobs.change("job-0", () =>
    pull ? { set: { pull: { ...pull, state: "merged" } } } : undefined,
  )
  await h.pass()
  expect(h.built).toEqual([])
  expect(await h.find("job-0")).not.toHaveProperty("preview")
})
