import { expect, test } from "vitest"
import { previewPass } from "../../../src/after/preview-pass.ts"
import { TIMING } from "../../../src/config/timing.ts"
import type { PreviewStatus, StartedPreview } from "../../../src/docs/schema.ts"
import { DocsError } from "../../../src/errors/docs-error.ts"
import { jobKeys } from "../../../src/jobs/keys.ts"
import { previewAsked } from "../../../src/jobs/transitions.ts"
import { createOptionalOperations } from "../../../src/jobs/trouble/operations.ts"
import { afterTheLink } from "../../helpers/after-the-link.ts"
import { followedJob, keepJob } from "../../helpers/followed-job.ts"
import { useRedis } from "../../helpers/redis.ts"

const redis = useRedis()
const ids = Array.from({ length: 6 }, (_, n) => `job-${n}`)

/** Jobs with a branch, of which each person asked for a preview. */
async function asked(...users: string[]) {
  const h = await afterTheLink(redis())
  for (const [n, by] of users.entries()) {
    const id = ids[n] ?? ""
    await keepJob(redis(), followedJob({ id, branch: `b${n}` }), [])
    await h.jobs.change(id, ({ job, now }) => previewAsked(job, { by, now }))
  }
  const built: string[] = []
  const absent: string[] = []
  const service: { start: StartedPreview | DocsError; status: PreviewStatus } = {
    start: { statusId: "s" },
    status: { status: "running" },
  }
  const deps = {
    store: h.store,
    jobs: h.jobs,
    docs: {
      async buildPreview(_: string, branch: string) {
        built.push(branch)
        if (service.start instanceof DocsError) throw service.start
        return service.start
      },
      previewStatus: async () => service.status,
    },
    operations: createOptionalOperations(redis(), { message: "", preview: "preview" }),
    timing: TIMING,
    creationMs: 0,
    keyIdOf: () => "print",
    isOwnDirect: async () => false,
    outbound: {
      post: async () => ({ channel: "C1", ts: "2.1" }),
      postEphemeral: async ({ user }: { user: string }) => void absent.push(user),
      respond: async () => {},
      direct: async () => ({ channel: "D1", ts: "2.2" }),
    },
    replyUrl: async () => undefined,
  }
  return { ...h, built, absent, service, deps, pass: () => previewPass(deps) }
}

test("a click builds the branch, and shows how far it is", async () => {
  const h = await asked("U1")
  await h.pass()
  expect(h.built).toEqual(["b0"])
  expect((await h.find("job-0")).preview).toMatchObject({ state: "building", statusId: "s" })
  h.clock.now += 3000
  await h.pass()
  h.service.status = { status: "success", files: { added: 1, modified: 0, removed: 0 } }
  h.clock.now += 3000
  await h.pass()
  expect((await h.find("job-0")).preview).toMatchObject({ state: "ready", files: { added: 1 } })
  expect(await redis().zcard(jobKeys.schedule("previews"))).toBe(0)
  expect(h.built).toHaveLength(1)
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

test("a deployment without previews: who clicked is told, and the button goes", async () => {
  const h = await asked("U1")
  h.service.start = new DocsError({ operation: "x", fault: "not_found", status: 404 })
  await h.pass()
  expect(h.absent).toEqual(["U1"])
  const job = await h.find("job-0")
  expect(job).not.toHaveProperty("preview")
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
