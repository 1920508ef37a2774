import { describe, expect, test } from "vitest"
import { runDoctor } from "../../../src/doctor/run.ts"
import { samples } from "../../../src/services/samples.ts"
import { closingReply, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import type { Fault } from "../../sandbox/github/faults.ts"
import { ADA, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS, type TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ followsPulls: true, env: { ADMIN_USERS: CLEO } })

/** The doctor on the command line, beside the bot and on its Redis. */
async function doctor(h: TestBed, env: Record<string, string | undefined> = {}) {
  const url = h.address.kind === "server" ? h.address.url.reveal() : ""
  const all = { REDIS_URL: url, ADMIN_USERS: CLEO, ...h.env, ...env }
  return runDoctor({ env: all, node: "24.1.0", json: false, samples: samples() })
}

/** A request that ended with a pull request. */
async function withPull(more: Parameters<typeof testBed>[0] = {}) {
  const h = await testBed(more)
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  return { h, reply: await closingReply(h) }
}

describe("the token of GitHub", () => {
  test("that is not set is nothing to mend", async () => {
    const h = await testBed({ followsPulls: false })
    const { output, well } = await doctor(h)
    expect(output).toMatch(/ok +github +GITHUB_TOKEN isn't set/)
    expect(well).toBe(true)
    expect(h.github.requests).toEqual([])
  })

  // "Accessing this endpoint does not count against your REST API rate limit."
  test("works before anything was followed, and finding that out costs nothing of its hour", async () => {
    const h = await testBed()
    expect((await doctor(h)).output).toMatch(/ok +github +GitHub accepts GITHUB_TOKEN; no pull/)
    expect(h.github.rate(SECRETS.gitHubToken)?.used).toBe(0)
  })

  // "Rate limits are disabled by default for GitHub Enterprise Server": there the question is a 404.
  test("works at a GitHub Enterprise without limits", async () => {
    const h = await testBed({ github: { requestsPerHour: null } })
    expect((await doctor(h)).output).toMatch(/ok +github +GitHub accepts GITHUB_TOKEN/)
  })

  test("may read the repositories whose pull requests were followed, also once they are merged", async () => {
    const { h } = await withPull()
    h.github.act("acme/docs", 214, { do: "merge" })
    await h.slack.until((s) =>
      s
        .channel(DOCS)
        .all()
        .some(({ text }) => /Merged/.test(text)),
    )
    const { output, well } = await doctor(h)
    expect(output).toMatch(/ok +github +GITHUB_TOKEN can read the pull requests of acme\/docs/)
    expect(well).toBe(true)
  })

  test("that may not read one of them is named with what to do, and the bot works", async () => {
    const { h } = await withPull()
    h.github.setReadable("acme/docs", false)
    const { output, well } = await doctor(h)
    expect(output).toMatch(/warning +github +GITHUB_TOKEN can't read the pull requests of acme/)
    expect(output).toMatch(/→ Give the token read access to pull requests there/)
    expect(well).toBe(true)
  })

  test("that is refused is a fault", async () => {
    const { h } = await withPull()
    h.github.expireTokens()
    const { output, well } = await doctor(h)
    expect(output).toMatch(/fault +github +GitHub rejected GITHUB_TOKEN/)
    expect(output).toMatch(/→ Create a token/)
    expect(well).toBe(false)
  })

  test.each([
    ["an outage", { type: "status", status: 502, body: "html" }],
    ["a cut connection", { type: "reset" }],
    ["a secondary limit", { type: "secondary_limit", retryAfter: 1 }],
  ] satisfies [string, Fault][])("is a matter of doubt after %s", async (_, fault) => {
    const h = await testBed()
    h.github.fail(fault)
    const { output, well } = await doctor(h)
    expect(output).toMatch(/warning +github +GitHub didn't say/)
    expect(well).toBe(true)
  })

  test("is asked for no more than the bot's share of its hour", async () => {
    const { h } = await withPull({ github: { requestsPerHour: 16 } })
    const used = () => h.github.rate(SECRETS.gitHubToken)?.used ?? 0
    for (let n = 0; n < 6; n += 1) await doctor(h)
    expect(used()).toBeLessThanOrEqual(4)
    expect((await doctor(h)).output).toMatch(/share of its hour is used up/)
  })

  test("is looked at by /docs-agent doctor as well", async () => {
    const { h } = await withPull()
    await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
    const told = await toldPrivately(h, CLEO, /Everything works|Working, with/)
    expect(JSON.stringify(told.blocks)).toContain("GITHUB_TOKEN can read the pull requests of acme")
  })
})

describe("operations that not every deployment has", () => {
  const options = /ok +service options +(.*)/

  test("are unknown until they are asked for, then present", async () => {
    const { h, reply } = await withPull()
    expect(options.exec((await doctor(h)).output)?.[1]).toBe(
      "Optional operations: follow-up messages: not tried yet; previews: not tried yet",
    )
    await h.slack.as(ADA).click(reply, "build_preview")
    await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: reply.threadTs })
    const both = "Optional operations: follow-up messages: available; previews: available"
    await expect
      .poll(async () => options.exec((await doctor(h)).output)?.[1], { timeout: 10_000 })
      .toBe(both)
  })

  test("are absent where the deployment turned out to have none, or turned off", async () => {
    const { h, reply } = await withPull({ docs: { absent: { message: 404, preview: 403 } } })
    await h.slack.as(ADA).click(reply, "build_preview")
    await h.slack.as(ADA).mention(DOCS, "shorten it", { thread: reply.threadTs })
    await expect
      .poll(async () => options.exec((await doctor(h)).output)?.[1], { timeout: 10_000 })
      .toMatch(/messages: not offered \(tried again within a day\); previews: not offered/)
    const off = await doctor(h, { DOCS_MESSAGE_PATH: "off" })
    expect(options.exec(off.output)?.[1]).toMatch(/messages: turned off; previews: not offered/)
    expect(off.well).toBe(true)
  })
})
