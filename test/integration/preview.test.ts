import { expect, test } from "vitest"
import { clickOnAnothers } from "../helpers/forged.ts"
import {
  botMessages,
  botSays,
  buttonsOf,
  closingReply,
  docsUntil,
  toldPrivately,
} from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import type { PreviewPlan } from "../sandbox/docs-service/preview.ts"
import { ADA, BEN, DOCS } from "../sandbox/slack/seed/ids.ts"

const testBed = useTestBed()
type More = Parameters<typeof testBed>[0]

const QUICK: PreviewPlan = { ending: "success", queuedMs: 10, afterMs: 100 }

/** A job that ended with a pull request. */
async function answered(more: More = {}) {
  const h = await testBed({ ...more, docs: { previewPlan: QUICK, ...more?.docs } })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  return { h, reply: await closingReply(h) }
}

const asked = ({ docs }: Awaited<ReturnType<typeof testBed>>) =>
  docs.requests.filter(({ kind }) => kind === "preview").length
const posts = ({ slack }: Awaited<ReturnType<typeof testBed>>) =>
  slack.calls.filter(({ method }) => method === "chat.postMessage").length

test("one click builds a preview: the reply says so, then has the link and what changed", async () => {
  const { h, reply } = await answered()
  expect(buttonsOf(reply)).toContain("build_preview")
  const before = posts(h)
  await h.slack.as(BEN).click(reply, "build_preview")
  const ready = await botSays(h, /Preview ready\. \d+ files? changed/)
  expect(ready.ts).toBe(reply.ts)
  expect(JSON.stringify(ready.blocks)).toContain(`${h.docs.url}/previews/`)
  expect(asked(h)).toBe(1)
  expect(posts(h)).toBe(before)
})

test("a build that fails says why", async () => {
  const { h, reply } = await answered({ docs: { previewPlan: { ...QUICK, ending: "failure" } } })
  await h.slack.as(ADA).click(reply, "build_preview")
  await botSays(h, /The preview couldn't be built\. The build failed/)
})

test("two clicks ask once", async () => {
  const { h, reply } = await answered({ docs: { previewPlan: { ...QUICK, ending: "never" } } })
  await h.slack.as(ADA).click(reply, "build_preview")
  await h.slack.as(BEN).click(reply, "build_preview")
  await toldPrivately(h, BEN, /already being built/)
  await botSays(h, /Building the preview/)
  expect(asked(h)).toBe(1)
})

test("a press of what the reply showed before a build does not build again", async () => {
  const { h, reply } = await answered()
  await h.slack.as(ADA).click(reply, "build_preview")
  const ready = await botSays(h, /Preview ready/)
  await clickOnAnothers(h.slack, BEN, reply, "build_preview")
  await toldPrivately(h, BEN, /already built/)
  expect(asked(h)).toBe(1)
  await h.slack.as(BEN).click(ready, "build_preview")
  await docsUntil(h, () => asked(h) === 2)
})

test.each([403, 404] as const)(
  "where the deployment answers %i, who clicked is told once, and the button is gone",
  async (status) => {
    const { h, reply } = await answered({ docs: { absent: { preview: status } } })
    await h.slack.as(BEN).click(reply, "build_preview")
    await toldPrivately(h, BEN, /Previews aren't available here/)
    await h.slack.until((s) =>
      botMessages(s).some((m) => m.ts === reply.ts && !buttonsOf(m).includes("build_preview")),
    )
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "another one")
    const next = await h.slack.until((s) =>
      botMessages(s).find(({ threadTs, ts }) => threadTs && ts !== reply.ts),
    )
    expect(buttonsOf(next)).not.toContain("build_preview")
    expect(asked(h)).toBe(1)
  },
)

test("one whose answer never came is not asked for again by itself", async () => {
  const { h, reply } = await answered()
  h.docs.fail({ type: "reset", when: "after", kind: "preview", times: 1 })
  await h.slack.as(ADA).click(reply, "build_preview")
  const unsure = await botSays(h, /couldn't confirm that the preview/)
  expect(asked(h)).toBe(1)
  await h.slack.as(ADA).click(unsure, "build_preview")
  await botSays(h, /Preview ready/)
  expect(asked(h)).toBe(2)
})

test("a restart neither loses nor doubles it", async () => {
  const { h, reply } = await answered({ docs: { previewPlan: { ...QUICK, afterMs: 1_500 } } })
  await h.slack.as(ADA).click(reply, "build_preview")
  await docsUntil(h, () => asked(h) === 1)
  await h.restartBot()
  await botSays(h, /Preview ready/)
  expect(asked(h)).toBe(1)
})

test.each([
  ["no id to ask about", { type: "missing_field", path: "statusId" }, /Preview ready/],
  [
    "a link that is none",
    { type: "field", path: "previewUrl", value: "javascript:alert(1)" },
    /Preview ready/,
  ],
] as const)("%s is shown as far as it goes", async (_, fault, says) => {
  const { h, reply } = await answered()
  h.docs.fail({ ...fault, kind: "preview" })
  await h.slack.as(ADA).click(reply, "build_preview")
  const ready = await botSays(h, says)
  expect(JSON.stringify(ready.blocks)).not.toContain("javascript:")
})

test("at most five a minute are asked for, whoever clicks; the others wait", async () => {
  const h = await testBed({ docs: { previewPlan: { ...QUICK, ending: "never" } } })
  const previews = h.services.work.previews
  const [project = ""] = h.services.config.docs.projects.map(({ name }) => name)
  const waits = []
  for (let n = 0; n < 6; n += 1) waits.push(await previews.takePlace(project))
  expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
  expect(waits[5]).toBeGreaterThan(50_000)
})
