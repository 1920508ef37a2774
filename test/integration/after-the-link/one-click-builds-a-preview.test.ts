import { describe, expect, test } from "vitest"
import { keys } from "../../../src/redis/keys.ts"
import { clickOnAnothers } from "../../helpers/forged.ts"
import { hasten } from "../../helpers/put-off.ts"
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
import { ADA, BEN, CLEO, DOCS, GUS } from "../../sandbox/slack/seed/ids.ts"

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

describe("once the pull request is over, there is nothing left to preview", () => {
  /** A job whose pull request is followed, and what people do with that. */
  async function followed() {
    const { h, reply } = await answered({ followsPulls: true })
    const [pull] = h.github.pulls()
    if (!pull) throw new Error("The job opened no pull request")
    const act = (action: PullAction) => h.github.act(pull.repository, pull.number, action)
    const replySays = (says: RegExp) =>
      h.slack.until((s) =>
        botMessages(s).find(({ ts, text }) => ts === reply.ts && says.test(text)),
      )
    return { h, reply, act, replySays }
  }

  test("merged: nothing offers one, and a click that comes late is answered with why", async () => {
    const { h, reply, act, replySays } = await followed()
    expect(buttonsOf(reply)).toContain("build_preview")
    act({ do: "merge", by: "ben" })
    expect(buttonsOf(await replySays(/Merged by ben/))).toEqual(["view_pull_request"])
    await clickOnAnothers(h.slack, BEN, reply, "build_preview")
    await toldPrivately(h, BEN, /This pull request is merged\..*nothing left to preview/)
    expect(asked(h)).toBe(0)
  })

  test("closed: what there is of an earlier one stays, and opened again it can be built again", async () => {
    const { h, reply, act, replySays } = await followed()
    await h.slack.as(ADA).click(reply, "build_preview")
    const ready = await replySays(/Preview ready/)
    act({ do: "close" })
    const closed = await replySays(/Closed without merging/)
    expect(closed.text).toContain("Preview ready")
    expect(buttonsOf(closed)).toEqual(["view_pull_request", "open_preview"])
    await clickOnAnothers(h.slack, BEN, ready, "build_preview")
    await toldPrivately(h, BEN, /This pull request is closed\..*nothing left to preview/)
    act({ do: "reopen" })
    expect(buttonsOf(await replySays(/Pull request ready/))).toContain("build_preview")
    expect(asked(h)).toBe(1)
  })

  test("one that waits when it is closed is not built, and opened again it can be asked for", async () => {
    const { h, reply, act, replySays } = await followed()
    h.docs.fail({ type: "rate_limited", kind: "preview", times: 1 })
    await h.slack.as(ADA).click(reply, "build_preview")
    await replySays(/Building the preview/)
    await docsUntil(h, () => asked(h) === 1)
    act({ do: "close" })
    await replySays(/Closed without merging/)
    await expect.poll(() => hasten(h.services.workerRedis, keys.previews)).toBe(1)
    await expect.poll(async () => (await closingReply(h)).text).not.toContain("preview")
    expect(asked(h)).toBe(1)
    act({ do: "reopen" })
    expect(buttonsOf(await replySays(/Pull request ready/))).toContain("build_preview")
  })

  test("nobody is sent to a button that is gone", async () => {
    const { h, reply, act, replySays } = await followed()
    h.docs.fail({ type: "reset", when: "after", kind: "preview", times: 1 })
    await h.slack.as(ADA).click(reply, "build_preview")
    await replySays(/couldn't confirm that the preview is being built\. Build it again/)
    act({ do: "merge", by: "ben" })
    expect((await replySays(/Merged by ben/)).text).not.toContain("Build it again")
  })
})

describe("at most five a minute are asked for with one key", () => {
  /** Places that people ask for one after the other. */
  async function asking() {
    const h = await testBed()
    const { previews } = h.services.work
    const [project = ""] = h.services.config.docs.projects.map(({ name }) => name)
    return async (...users: string[]) => {
      const waits = []
      for (const user of users) waits.push(await previews.takeSlot(project, user))
      return waits.map((ms) => (ms === 0 ? "at once" : ms > 50_000 ? "in a minute" : ms))
    }
  }

  test("whoever clicks", async () => {
    const ask = await asking()
    const five = [ADA, BEN, CLEO, "U5", GUS]
    expect(await ask(...five)).toEqual(five.map(() => "at once"))
    expect(await ask("U6")).toEqual(["in a minute"])
  })

  test("and the last two go to people who have had none", async () => {
    const ask = await asking()
    expect(await ask(ADA, ADA, ADA, ADA)).toEqual(["at once", "at once", "at once", "in a minute"])
    expect(await ask(BEN, BEN, CLEO)).toEqual(["at once", "in a minute", "at once"])
    expect(await ask("U5")).toEqual(["in a minute"])
  })

  test("one that has to wait says so, and starts by itself", async () => {
    const { h, reply } = await answered()
    const { previews } = h.services.work
    const [project = ""] = h.services.config.docs.projects.map(({ name }) => name)
    for (let n = 0; n < 2; n += 1) await previews.takeSlot(project, ADA)
    // Its own place is spent on an answer that puts it off, so that it waits after the reply has said more.
    h.docs.fail({ type: "rate_limited", kind: "preview", times: 1 })
    await h.slack.as(ADA).click(reply, "build_preview")
    await botSays(h, /Building the preview/)
    const { workerRedis } = h.services
    await expect.poll(() => hasten(workerRedis, keys.previews), { timeout: 10_000 }).toBe(1)
    await botSays(h, /Preview in line/)
    expect(asked(h)).toBe(1)
    for (const minute of await workerRedis.keys("{da}:preview-minute:*"))
      await workerRedis.del(minute)
    await hasten(workerRedis, keys.previews)
    await botSays(h, /Preview ready/)
    expect(asked(h)).toBe(2)
  })
})
