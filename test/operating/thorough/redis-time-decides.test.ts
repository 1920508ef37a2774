import { onTestFinished, test } from "vitest"
import { askUntil } from "../../helpers/asked.ts"
import { skewDate } from "../../helpers/skewed-date.ts"
import { useTestBed } from "../../helpers/test-bed.ts"

const { testBed } = useTestBed()

test("on a machine whose clock is 90 s ahead a job is not lost track of before its time", async () => {
  const skew = skewDate(90_000)
  onTestFinished(() => skew[Symbol.dispose]())
  const h = await testBed({ env: { JOB_TIMEOUT_MINUTES: "1" } })
  h.docs.plan({ ending: "pull_request", afterMs: 400 })
  await askUntil(h, "fix the quickstart", /Pull request ready/)
})
