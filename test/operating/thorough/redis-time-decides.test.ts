import { onTestFinished, test } from "vitest"
import { botSays } from "../../helpers/reading.ts"
import { skewDate } from "../../helpers/skewed-date.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed()

test("on a machine whose clock is 90 s ahead a job is not lost track of before its time", async () => {
  const skew = skewDate(90_000)
  onTestFinished(() => skew[Symbol.dispose]())
  const h = await testBed({ env: { JOB_TIMEOUT_MINUTES: "1" } })
  h.docs.plan({ ending: "pull_request", afterMs: 400 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await botSays(h, /Pull request ready/)
})
