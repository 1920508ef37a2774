import { expect } from "vitest"
import { PROJECT, useVisitors } from "../../helpers/visitors.ts"
import { ADA, ADA_DM } from "../../sandbox/slack/index.ts"

const { test, bed } = useVisitors()

test("VIS-8: a CSV of 17,500 pages reads page n at offset (n - 1) * 250, each row once", async () => {
  const h = await bed({ docs: { visitors: { pages: 17_500 } } })
  await h.use(ADA, await h.ask(ADA, "90d"), "visitors_csv")
  const isReady = /^CSV ready · .* · [\d,]+ pages · /
  await h.slack.until(() => h.said(ADA_DM).some(({ text }) => isReady.test(text)))
  const [file] = h.said(ADA_DM).flatMap((message) => message.files)
  const rows = file?.content.toString("utf8").split("\r\n").slice(1, -1) ?? []
  const truth = h.docs.truth(PROJECT, "2026-08-22", "2026-11-20").visitors
  expect(truth.length).toBeGreaterThan(60 * 250)
  expect(rows).toHaveLength(truth.length)
  expect(new Set(rows).size).toBe(rows.length)
  const offsets = h
    .analyticsRequests()
    .filter(({ query }) => query.limit === "250")
    .map(({ query }) => Number(query.offset))
  const pages = Math.ceil(truth.length / 250)
  expect(offsets).toEqual(Array.from({ length: pages }, (_, n) => n * 250))
})
