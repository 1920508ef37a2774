import { expect, test } from "vitest"
import { direct, docsUntil } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed({ env: { JOBS_PER_MONTH: "1", ADMIN_USERS: CLEO } })

test("LIM-18: a notice counts what waits, not the last request that is just being sent", async () => {
  const h = await testBed({ goesOn: "the service takes its time" })
  h.docs.fail({ type: "hang", when: "after", kind: "create", times: 1 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "the only change of it")
  await docsUntil(h, ({ creations }) => creations.length === 1)
  await h.bot.worker?.passes.months?.()
  const notice = await h.slack.until(() =>
    direct(h, CLEO).find(({ text }) => /This month's requests are used up/.test(text)),
  )
  expect(notice.text).toMatch(/New requests wait until/)
})
