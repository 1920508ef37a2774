import { expect, test } from "vitest"
import { metricsOf, readyz } from "../helpers/of-itself.ts"
import { useFollowedPulls } from "../helpers/with-pull.ts"
import { CLEO, DOCS } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const { withPull } = useFollowedPulls()

test("OPS-3, PUL-6: a repository that GitHub refuses, of which admins hear once, and a limit that is used up with its end, are on /readyz and in the doctor while that lasts", async () => {
  const goesOn = "GitHub is asked again"
  const { h, act, pull } = await withPull({ goesOn, env: { ADMIN_USERS: CLEO } })
  h.github.setReadable(pull.repository, false)
  await act({ do: "draft" })
  const says = /The GitHub token can't read acme\/docs\. Pull request status no longer updates/
  await h.slack.until(() => h.direct(CLEO).find(({ text }) => says.test(text)))
  expect((await readyz(h.bot)).text).toMatch(says)
  const until = /limit for GITHUB_TOKEN is used up until (\d{4}-\d\d-\d\d \d\d:\d\d UTC)/
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
  expect((await h.toldPrivately(CLEO, says)).text).not.toMatch(until)
  h.github.setReadable(pull.repository, true)
  await h.hasten("pulls", "watch")
  const noticed = async () => (await readyz(h.bot)).text
  await expect.poll(noticed).not.toContain("GitHub")
  expect(h.direct(CLEO)).toHaveLength(1)

  h.github.limitRequests(0)
  await h.hasten("pulls", "watch")
  await expect.poll(noticed).toMatch(until)
  expect(await metricsOf(h.bot)).toContain('docs_agent_github_limited{reason="github_limit"} 1')
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
  const { text: ready } = await readyz(h.bot)
  const { reset = 0 } = h.github.rate(SECRETS.gitHubToken) ?? {}
  for (const text of [ready, (await h.toldPrivately(CLEO, until)).text])
    expect(Math.abs(Date.parse(until.exec(text)?.[1] ?? "") - reset * 1000)).toBeLessThan(120_000)
})
