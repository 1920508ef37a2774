import { expect, test } from "vitest"
import { readyz } from "../../helpers/of-itself.ts"
import { type Bed, READY } from "../../helpers/test-bed.ts"
import { act, cardSays, useFollowedPulls, WATCHED } from "../../helpers/with-pull.ts"
import { until } from "../../sandbox/kit/until.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { testBed, withPull } = useFollowedPulls({ timing: WATCHED })

/** Resolves once GitHub has answered so. */
const gitHubAnswers = ({ github }: Bed, status: number) =>
  until(github, () => github.requests.some((request) => request.status === status), String)

test("a token that expires is told to admins once, and stands in /readyz while that lasts; links still work", async () => {
  const goesOn = "pull requests are not read without a token"
  const h = await testBed({ goesOn, plan: READY, env: { ADMIN_USERS: CLEO } })
  h.github.expireTokens()
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "write the guide")
  expect((await h.closingReply()).text).toMatch(/is ready: acme/)
  const [told] = await h.slack.until(() => (h.direct(CLEO).length > 0 ? h.direct(CLEO) : undefined))
  expect(told?.text).toContain("GitHub rejected GITHUB_TOKEN")
  await expect.poll(async () => (await readyz(h.bot)).text).toMatch(/"ready":true.*GITHUB_TOKEN/)
  await h.bot.worker?.passes.pulls?.()
  expect(h.direct(CLEO)).toHaveLength(1)
})

test("a repository that moved is followed to where it is, and no redirect leads the token out of the API", async () => {
  const { h, pull } = await withPull()
  h.github.fail({ type: "redirect", location: `${h.docs.url}/elsewhere`, times: 1 })
  await gitHubAnswers(h, 307)
  h.github.moveRepository(pull.repository, "acme/guides")
  h.github.act("acme/guides", pull.number, { do: "merge", by: "ben" })
  await cardSays(h, /Merged by ben/)
  expect(h.docs.requests.some(({ path }) => path.includes("elsewhere"))).toBe(false)
})

test.each([
  ["a 304 without being asked for one", { type: "status", status: 304, body: "empty" }],
  ["a page", { type: "status", status: 200, body: "html" }],
  ["an odd state", { type: "field", name: "state", value: "half open" }],
  ["no JSON", { type: "body", text: "{" }],
  ["a reset", { type: "reset" }],
  ["a secondary limit", { type: "secondary_limit", retryAfter: 1 }],
] as const)("%s of GitHub says nothing, and is asked again", async (_, fault) => {
  const h = await testBed({ env: { ADMIN_USERS: CLEO } })
  h.github.fail({ ...fault, times: 1 })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await h.closingReply()
  await act(h, { do: "merge", by: "ben" })
  await cardSays(h, /Merged by ben/)
  expect(h.direct(CLEO)).toEqual([])
})
