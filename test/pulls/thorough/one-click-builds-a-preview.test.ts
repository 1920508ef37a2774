import { expect, test } from "vitest"
import { clickOnAnothers } from "../../helpers/forged.ts"
import { botMessages, botSays, buttonsOf, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { useFollowedPulls } from "../../helpers/with-pull.ts"
import { letExpire } from "../../sandbox/clock/redis-time.ts"
import type { PreviewPlan } from "../../sandbox/docs-service/preview.ts"
import type { DocsServiceOptions } from "../../sandbox/docs-service/service.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const { withPull } = useFollowedPulls()

const HOUR_MS = 3_600_000
const QUICK: PreviewPlan = { ending: "success", queuedMs: 10, afterMs: 100 }

const answered = (docs: Partial<DocsServiceOptions> = {}) =>
  withPull({ docs: { previewPlan: QUICK, ...docs } })

const asked = ({ docs }: TestBed) => docs.requests.filter(({ kind }) => kind === "preview").length

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
    const { h, reply } = await answered({ absent: { preview: status } })
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

    const { store, operations, projectKeys } = h.services.work
    await letExpire(store.redis, 23 * HOUR_MS)
    expect(await operations.isAbsent(projectKeys[0] ?? "", "preview")).toBe(true)
    await letExpire(store.redis, 2 * HOUR_MS)
    const [newest] = await h.services.work.jobs.ofUser(ADA, 1)
    await h.services.work.jobs.change(newest?.job.id ?? "", () => ({ due: { outbox: 0 } }))
    await h.slack.until((s) =>
      botMessages(s).some((m) => m.ts === next.ts && buttonsOf(m).includes("build_preview")),
    )
  },
)

/** Asks once more, and returns the second reply with a *Build preview*. */
async function another(h: TestBed, reply: { ts: string }) {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write another guide")
  return h.slack.until((s) =>
    botMessages(s).find((m) => m.ts !== reply.ts && buttonsOf(m).includes("build_preview")),
  )
}

test("a reply from before that was known loses its button with the first click on it", async () => {
  const { h, reply } = await answered({ absent: { preview: 403 } })
  const other = await another(h, reply)
  await h.slack.as(BEN).click(reply, "build_preview")
  await toldPrivately(h, BEN, /Previews aren't available here/)
  // Another change of the job may have taken the button away; Ada's client still shows it.
  await clickOnAnothers(h.slack, ADA, other, "build_preview")
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
  const other = await another(h, reply)
  await h.slack.as(BEN).click(other, "build_preview")
  await toldPrivately(h, BEN, /Previews aren't available here/)
  await h.slack.as(BEN).click(ready, "build_preview")
  const left = await h.slack.until((s) =>
    botMessages(s).find((m) => m.ts === reply.ts && !buttonsOf(m).includes("build_preview")),
  )
  expect(buttonsOf(left)).toContain("open_preview")
})

test.each([
  ["its update was muted", "pull_request", /Preview ready[\s\S]*acme\/docs#\d+/],
  ["its update failed", "failed", undefined],
] as const)("what was built is shown also where %s", async (_, ending, told) => {
  const { h, reply } = await answered()
  const thread = reply.threadTs
  h.docs.planAll({ ending: "never", afterMs: 0 })
  await h.slack.as(BEN).mention(DOCS, "one more example", { thread })
  await docsUntil(h, ({ requests }) => requests.some(({ kind }) => kind === "message"))
  if (told) await h.slack.as(BEN).mention(DOCS, "mute", { thread })
  h.docs.finish(h.docs.creations[0]?.jobId ?? "", ending)
  await botSays(h, /Pull request updated|couldn't finish the update/)
  await h.slack.as(ADA).click(reply, "build_preview")
  const shown = told ? toldPrivately(h, ADA, told) : botSays(h, /Preview ready/, { thread })
  expect(buttonsOf(await shown)).toContain("open_preview")
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

test("of a pull request that was closed what there is stays, and opened again it can be built again", async () => {
  const { h, reply, act } = await answered()
  const replyIs = (holds: (buttons: string[]) => boolean) =>
    h.slack.until((s) => botMessages(s).find((one) => one.ts === reply.ts && holds(buttonsOf(one))))
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
