import { describe, expect, test } from "vitest"
import { clickOnAnothers } from "../../helpers/forged.ts"
import {
  botMessages,
  botSays,
  buttonsOf,
  closingReply,
  docsUntil,
  toldPrivately,
} from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import type { PreviewPlan } from "../../sandbox/docs-service/preview.ts"
import type { PullAction } from "../../sandbox/github/pull.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed()
type More = Parameters<typeof testBed>[0]

const QUICK: PreviewPlan = { ending: "success", queuedMs: 10, afterMs: 100 }

async function answered(more: More = {}) {
  const h = await testBed({ ...more, docs: { previewPlan: QUICK, ...more?.docs } })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  return { h, reply: await closingReply(h) }
}

const asked = ({ docs }: TestBed) => docs.requests.filter(({ kind }) => kind === "preview").length

test("a build that fails says why", async () => {
  const { h, reply } = await answered({ docs: { previewPlan: { ...QUICK, ending: "failure" } } })
  await h.slack.as(ADA).click(reply, "build_preview")
  await botSays(h, /Couldn't build the preview\. The build failed/)
})

test("two clicks build once, and a click on what is ready builds again", async () => {
  const { h, reply } = await answered()
  await h.slack.as(ADA).click(reply, "build_preview")
  await clickOnAnothers(h.slack, BEN, reply, "build_preview")
  await toldPrivately(h, BEN, /Already building/)
  const ready = await botSays(h, /Preview ready/)
  expect(asked(h)).toBe(1)
  await h.slack.as(BEN).click(ready, "build_preview")
  await docsUntil(h, () => asked(h) === 2)
})

test.each([403, 404] as const)(
  "where the deployment answers %i, who clicked is told, and the button is gone for a day",
  async (status) => {
    const { h, reply } = await answered({ docs: { absent: { preview: status } } })
    await h.slack.as(BEN).click(reply, "build_preview")
    await toldPrivately(h, BEN, /Previews aren't available here/)
    await h.slack.until((s) =>
      botMessages(s).some((m) => m.ts === reply.ts && !buttonsOf(m).includes("build_preview")),
    )
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write another guide")
    const next = await h.slack.until((s) =>
      botMessages(s).find(({ threadTs, ts }) => threadTs && ts !== reply.ts),
    )
    expect(buttonsOf(next)).not.toContain("build_preview")
    expect(asked(h)).toBe(1)

    const { redis } = h.services.work.store
    await redis.del(await redis.keys("*:operation:*"))
    const [newest] = await h.services.work.jobs.ofUser(ADA, 1)
    await h.services.work.jobs.change(newest?.job.id ?? "", () => ({ due: { outbox: 0 } }))
    await h.slack.until((s) =>
      botMessages(s).some((m) => m.ts === next.ts && buttonsOf(m).includes("build_preview")),
    )
  },
)

test("a reply from before that was known loses its button with the first click on it", async () => {
  const { h, reply } = await answered({ docs: { absent: { preview: 403 } } })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write another guide")
  const other = await h.slack.until((s) =>
    botMessages(s).find((m) => m.ts !== reply.ts && buttonsOf(m).includes("build_preview")),
  )
  await h.slack.as(BEN).click(reply, "build_preview")
  await toldPrivately(h, BEN, /Previews aren't available here/)
  await h.slack.as(ADA).click(other, "build_preview")
  await toldPrivately(h, ADA, /Previews aren't available here/)
  await h.slack.until((s) =>
    botMessages(s).some((m) => m.ts === other.ts && !buttonsOf(m).includes("build_preview")),
  )
  expect(asked(h)).toBe(1)
})

test("what was built stays open to all after the service stops offering previews", async () => {
  const { h, reply } = await answered()
  await h.slack.as(ADA).click(reply, "build_preview")
  const ready = await botSays(h, /Preview ready/)
  h.docs.configure({ absent: { preview: 403 } })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write another guide")
  const other = await h.slack.until((s) =>
    botMessages(s).find((m) => m.ts !== reply.ts && buttonsOf(m).includes("build_preview")),
  )
  await h.slack.as(BEN).click(other, "build_preview")
  await toldPrivately(h, BEN, /Previews aren't available here/)
  await h.slack.as(BEN).click(ready, "build_preview")
  const left = await h.slack.until((s) =>
    botMessages(s).find((m) => m.ts === reply.ts && !buttonsOf(m).includes("build_preview")),
  )
  expect(buttonsOf(left)).toContain("open_preview")
})

test("one whose answer never came is not asked for again by itself", async () => {
  const { h, reply } = await answered()
  h.docs.fail({ type: "reset", when: "after", kind: "preview", times: 1 })
  await h.slack.as(ADA).click(reply, "build_preview")
  const unsure = await botSays(h, /Couldn.t confirm that the preview was built/)
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
  ["no id to ask about", { type: "missing_field", path: "statusId" }],
  ["a link that is none", { type: "field", path: "previewUrl", value: "javascript:alert(1)" }],
] as const)("%s is shown as far as it goes", async (_, fault) => {
  const { h, reply } = await answered()
  h.docs.fail({ ...fault, kind: "preview" })
  await h.slack.as(ADA).click(reply, "build_preview")
  const ready = await botSays(h, /Preview ready/)
  expect(JSON.stringify(ready.blocks)).not.toContain("javascript:")
})

describe("once the pull request is over, there is nothing left to preview", () => {
  /** Returns a job with a followed pull request, and functions to act on it. */
  async function followed() {
    const { h, reply } = await answered({ followsPulls: true })
    const [pull] = h.github.pulls()
    if (!pull) throw new Error("The job opened no pull request")
    const act = (action: PullAction) => h.github.act(pull.repository, pull.number, action)
    const replyIs = (holds: (buttons: string[]) => boolean) =>
      h.slack.until((s) =>
        botMessages(s).find((one) => one.ts === reply.ts && holds(buttonsOf(one))),
      )
    return { h, reply, act, replyIs }
  }

  test("merged: nothing offers one, and a click that comes late is answered with why", async () => {
    const { h, reply, act, replyIs } = await followed()
    act({ do: "merge", by: "ben" })
    await replyIs((buttons) => !buttons.includes("build_preview"))
    await clickOnAnothers(h.slack, BEN, reply, "build_preview")
    await toldPrivately(h, BEN, /Already merged/)
    expect(asked(h)).toBe(0)
  })

  test("closed: what there is of an earlier one stays, and opened again it can be built again", async () => {
    const { h, reply, act, replyIs } = await followed()
    await h.slack.as(ADA).click(reply, "build_preview")
    await botSays(h, /Preview ready/)
    act({ do: "close" })
    const closed = await replyIs((buttons) => !buttons.includes("build_preview"))
    expect(closed.text).toContain("Preview ready")
    expect(buttonsOf(closed)).toContain("open_preview")
    act({ do: "reopen" })
    await replyIs((buttons) => buttons.includes("build_preview"))
    expect(asked(h)).toBe(1)
  })
})
