import { expect, test } from "vitest"
import { ADA, DOCS } from "../../src/sandbox/slack/seed/ids.ts"
import { useHouse } from "../helpers/house.ts"

const house = useHouse()

test("a prompt becomes a pull request in the thread", async () => {
  const { slack, docs } = await house()
  docs.planAll({ ending: "pull_request", afterMs: 100 })

  const asked = await slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")

  expect(asked.shown?.text).toContain("Accepted")
  const reply = await slack.until((s) =>
    s
      .channel(DOCS)
      .all()
      .find((m) => m.threadTs !== undefined),
  )
  expect(reply.text).toContain(`<@${ADA}>`)
  expect(reply.text).toMatch(/pull request is ready: acme\/docs#\d+/)
  expect(docs.creations.map(({ prompt }) => prompt)).toEqual(["fix the quickstart"])
})
