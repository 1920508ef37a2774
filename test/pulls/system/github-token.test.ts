import { expect, test } from "vitest"
import { runBot } from "../../helpers/process.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import type { Bed } from "../../helpers/test-bed.ts"
import { useFollowedPulls, WATCHED } from "../../helpers/with-pull.ts"
import type { Fault } from "../../sandbox/github/state.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const { testBed } = useFollowedPulls({ timing: WATCHED, env: { ADMIN_USERS: CLEO } })

const TOKEN = SECRETS.gitHubToken

/** Returns every way in which GitHub could echo the token. */
function echoes(h: Bed): Fault[] {
  const here = `${h.github.apiUrl}/repos/acme/docs/pulls/214?access_token=${TOKEN}`
  return [
    { type: "field", name: "merged_by", value: { login: TOKEN } },
    { type: "field", name: "state", value: TOKEN },
    { type: "body", text: `{"message": "Bearer ${TOKEN}` },
    { type: "status", status: 500, message: `Bearer ${TOKEN}` },
    { type: "status", status: 403, message: `Bearer ${TOKEN}` },
    { type: "status", status: 401, message: `Bearer ${TOKEN}` },
    { type: "redirect", location: here },
    { type: "redirect", location: `${h.docs.url}/?access_token=${TOKEN}` },
  ]
}

/** Returns the expected number of polls per fault; after a refusal there is only one an hour. */
const looksAt = (fault: Fault) => (fault.type === "status" && fault.status < 500 ? 1 : 4)

/** Runs the bot and the doctor against each echo. @returns the doctor's output and Redis's data */
async function liveThroughEchoes(h: Bed, doctor: () => Promise<string>) {
  const found = { doctors: "", redis: "" }
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  for (const [n, fault] of echoes(h).entries()) {
    const struck = h.github.fail(fault)
    // Each fault gets its own pull request: after a refusal, the next poll is an hour later.
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", `request number ${n}`)
    await expect.poll(() => struck.hits).toBeGreaterThanOrEqual(looksAt(fault))
    found.redis += await dumpRedis(h.services.workerRedis)
    if (n % 3 === 0) found.doctors += await doctor()
    struck.clear()
  }
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
  await h.toldPrivately(CLEO, /No problems found|0 problems/)
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await h.botSays(/write the guide.*\n.*ready/)
  for (const pull of h.github.pulls())
    h.github.act(pull.repository, pull.number, { do: "merge", by: TOKEN })
  await h.botSays(/Merged by/)
  found.redis += await dumpRedis(h.services.workerRedis)
  h.github.expireTokens()
  found.doctors += await doctor()
  return found
}

async function answersOf(port: number): Promise<string> {
  const answers = ["/metrics", "/readyz", "/healthz"].map((path) =>
    fetch(`http://127.0.0.1:${port}${path}`).then((answer) => answer.text()),
  )
  return (await Promise.all(answers)).join("\n")
}

test("the token of GitHub is found nowhere, however GitHub repeats it", async () => {
  const h = await testBed({ env: { LOG_LEVEL: "debug" } })
  const env = { ...h.env, REDIS_URL: h.redisUrl, ADMIN_USERS: CLEO }
  const doctor = async () => (await runBot(["doctor"], env)).output
  const found = await liveThroughEchoes(h, doctor)
  const spoilt = await runBot(["web"], { ...env, GITHUB_API_URL: TOKEN, GITHUB_TOKEN: `${TOKEN} ` })

  const places = {
    log: h.lines.join(""),
    slack: JSON.stringify([
      h.slack.calls,
      ...h.slack.channels().map(({ id }) => h.botMessages(id)),
      ...[ADA, BEN, CLEO].map((user) => h.slack.ephemerals(user)),
    ]),
    http: await answersOf(h.bot.port),
    service: JSON.stringify(h.docs.requests),
    ...found,
    settings: spoilt.output,
  }
  expect(places.log).toContain("GitHub rejected GITHUB_TOKEN")
  expect(places.redis).toContain("{da}:job:")
  expect(places.slack).toContain("GitHub rejected GITHUB_TOKEN")
  expect(places.doctors).toMatch(/fault +github/)
  expect(places.settings).toContain("GITHUB_API_URL")
  for (const [place, text] of Object.entries(places))
    expect({ place, found: text.includes(TOKEN) }).toEqual({ place, found: false })
})
