import { expect, test } from "vitest"
import { readyz } from "../../helpers/of-itself.ts"
import type { Bed } from "../../helpers/test-bed.ts"
import { act, cardSays, useFollowedPulls, WATCHED } from "../../helpers/with-pull.ts"
import { until } from "../../sandbox/kit/until.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { testBed, withPull } = useFollowedPulls({ timing: WATCHED })

/** Resolves once GitHub has answered so. */
const gitHubAnswers = ({ github }: Bed, status: number) =>
  until(github, () => github.requests.some((request) => request.status === status), String)

test("a repository that the token may not read, and a token that expires, are told to admins once, and stand in /readyz while that lasts; links still work", async () => {
  const { h, pull } = await withPull({
    goesOn: "pull requests are not read without a token",
    env: { ADMIN_USERS: CLEO },
  })
  const told = (n: number) => h.slack.until(() => h.direct(CLEO)[n])
  const notices = async () => (await readyz(h.bot)).text
  // The bot then knows the pull request: once it may read it again, nothing has changed.
  await gitHubAnswers(h, 304)
  expect(await notices()).not.toContain("GITHUB_TOKEN")
  h.github.setReadable(pull.repository, false)
  expect((await told(0)).text).toContain("can't read acme/docs")
  await expect.poll(notices).toMatch(/"ready":true.*The GitHub token can't read acme\/docs/)
  h.github.setReadable(pull.repository, true)
  await h.hasten("pulls", "watch")
  await expect.poll(notices).not.toContain("GitHub")
  h.github.expireTokens()
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "write another guide")
  expect((await told(1)).text).toContain("GitHub rejected GITHUB_TOKEN")
  await expect.poll(notices).toMatch(/GitHub rejected GITHUB_TOKEN/)
  await h.slack.until(() => h.botMessages().filter(({ threadTs }) => threadTs).length === 2)
  await h.bot.worker?.passes.pulls?.()
  expect(h.direct(CLEO)).toHaveLength(2)
})

test("a repository that moved is followed to where it is", async () => {
  const { h, pull } = await withPull()
  h.github.moveRepository(pull.repository, "acme/guides")
  h.github.act("acme/guides", pull.number, { do: "merge", by: "ben" })
  await cardSays(h, /Merged by ben/)
})

test("the token goes nowhere but to the API, wherever a redirect leads", async () => {
  const { h, act } = await withPull()
  h.github.fail({ type: "redirect", location: `${h.docs.url}/elsewhere`, times: 1 })
  await act({ do: "merge", by: "ben" })
  await gitHubAnswers(h, 307)
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
