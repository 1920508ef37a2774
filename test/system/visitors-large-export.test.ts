import { expect, test } from "vitest"
import { PROJECT, useVisitorsBot } from "../helpers/visitors.ts"
import { files, finish, lines, press } from "../helpers/visitors-export.ts"
import { ADA_DM } from "../sandbox/slack/seed/ids.ts"

const desk = useVisitorsBot()

test("a CSV of 100,000 pages has every page exactly once", async () => {
  const at = await desk({ docs: { visitors: { pages: 100_000 } }, perHour: 2_000 })
  await press(at, "90d")
  await finish(at)
  const truth = at.docs.truth(PROJECT, "2026-08-22", "2026-11-20").visitors
  expect(truth.length).toBeGreaterThan(90_000)
  const rows = lines(files(at, ADA_DM)[0])
  expect(rows).toHaveLength(truth.length)
  expect(new Set(rows).size).toBe(truth.length)
})
