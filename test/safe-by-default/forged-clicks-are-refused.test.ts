import { describe, expect } from "vitest"
import { key } from "../../src/store/redis-keys.ts"
import { visitorActions } from "../../src/visitors/report-buttons.ts"
import { askUntil } from "../helpers/asked.ts"
import { clickOnAnothers } from "../helpers/forged.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, buttonsOf, CLEO, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })

test("what one person was asked or shown privately is not another's", async (h) => {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "this one is mine alone")
  const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "this one is mine alone")
  if (!shown) throw new Error("nothing was shown")
  await clickOnAnothers(h.slack, BEN, shown, "run_anyway")
  await h.toldPrivately(BEN, /expired|Too old/)
  expect(await h.services.front.jobs.ofUser(ADA)).toHaveLength(1)
  expect(await h.services.front.jobs.ofUser(BEN)).toEqual([])
  await h.botSays(/Working on it/)

  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "yesterday")
  const report = await h.toldPrivately(ADA, /^Docs visitors/)
  await clickOnAnothers(h.slack, BEN, report, visitorActions.share)
  await h.toldPrivately(BEN, /report has expired/)
  expect(h.botMessages()).toHaveLength(1)
})

describe("SAFE-1: what somebody did, delivered again later, does nothing", () => {
  const lastDelivery = (h: Bed) => h.slack.deliveries.at(-1)?.delivery

  test("Run again runs once", async () => {
    const h = await testBed({ env: { START_DELAY_SECONDS: "0" } })
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    const reply = await h.closingReply()
    await h.slack.as(ADA).click(reply, "run_again")
    const click = lastDelivery(h)
    await h.slack.until(() => h.botMessages().filter(({ threadTs }) => threadTs).length === 2)
    await h.slack.redeliver(click)
    expect(await h.jobOf()).toMatchObject({ state: "ended", rounds: [{}, {}] })
  })

  test.each(["click", "command"] as const)(
    "Cancel by %s spares what was run again since, and a cancellation that failed is heard",
    async (by) => {
      const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
      const card = await askUntil(h, "write the guide", /Starting in a moment/)
      const { id } = await h.jobOf()
      const { requestRedis } = h.services
      const profile = key("own", ADA, "profile")
      await requestRedis.del(profile)
      await requestRedis.sadd(profile, "in the way")
      await (by === "click"
        ? h.slack.as(ADA).click(card, "cancel")
        : h.slack.as(ADA).slash(DOCS, "/docs-agent", `cancel ${id}`))
      const cancel = lastDelivery(h)
      await requestRedis.del(profile)
      expect((await h.jobOf()).state).toBe("queued")

      await h.slack.redeliver(cancel)
      expect((await h.jobOf()).state).toBe("ended")
      const cancelled = await h.botSays(/Cancelled/)
      await h.slack.as(ADA).click(cancelled, "run_again")
      await h.slack.redeliver(cancel)
      expect((await h.jobOf()).state).toBe("queued")
    },
  )

  test("SAFE-5: Resume is for admins, and leaves a later pause alone", async () => {
    const h = await testBed({ goesOn: "admins hear of the later pause" })
    const { health, settings } = h.services.front
    const [queue = ""] = settings.projects.keys
    h.docs.fail({ type: "expired_key", kind: "create" })
    await askUntil(h, "wait for a key", /replaces the API key/)
    const notice = await h.slack.until(() =>
      h.direct(CLEO).find((one) => buttonsOf(one).includes("resume")),
    )
    await clickOnAnothers(h.slack, BEN, notice, "resume")
    await h.toldPrivately(BEN, /Only an admin/)
    expect((await health.read(queue)).reason).toBe("key_refused")
    await h.slack.as(CLEO).click(notice, "resume")
    const click = lastDelivery(h)
    await h.slack.until(() => h.docs.requests.filter(({ kind }) => kind === "create").length > 1)
    await h.pause("jobs")
    await h.slack.redeliver(click)
    expect((await health.read(queue)).until).toBe("ever")
  })

  test("a typed yes answers no later question", async () => {
    const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
    for (const words of ["glossary", "yes"]) await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
    const yes = lastDelivery(h)
    await h.botSays(/Starting in a moment/)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "quickstart")
    await h.slack.redeliver(yes)
    expect(await h.services.front.jobs.ofUser(ADA)).toHaveLength(1)
    await h.botSays(/glossary/)
  })
})
