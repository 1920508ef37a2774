import { describe, expect, vi } from "vitest"
import { runDoctor } from "../../src/operating/doctor/run-doctor.ts"
import { SCOPES } from "../../src/slack/scopes.ts"
import { findingsOf } from "../helpers/of-itself.ts"
import { startRawService } from "../helpers/raw-service.ts"
import { startScriptedRedis } from "../helpers/scripted-redis.ts"
import { type Bed, FAST_TIMING, useTestBed } from "../helpers/test-bed.ts"
import { BY_SOCKET, type Spoil, useWorld, wrongWith } from "../helpers/world-of-settings.ts"
import type { Fault } from "../sandbox/github/state.ts"
import { ADA, CLEO, DOCS, EDITORS, GUS } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const { test, testBed } = useTestBed({ env: { ADMIN_USERS: CLEO } })

/**
 * Set-ups whose fault the doctor alone finds, or a start in the same way as another;
 * `system/bad-settings.test.ts` has those that a start names.
 */
const FOUND_BY_THE_DOCTOR: Readonly<Record<string, { spoil: Spoil; doctor: RegExp }>> = {
  "a Redis Cluster of which no node answers": {
    spoil: () => ({ REDIS_URL: "redis://127.0.0.1:1,redis://127.0.0.1:2" }),
    doctor: /fault redis: Redis isn't responding.* → Start Redis, or correct the address/,
  },
  "a Redis whose clock is off": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.late }),
    doctor: /fault clock: Redis's clock is 1\d\d\.\d s behind .* → Turn on time synchronization/,
  },
  "an app token that may open no connection": {
    spoil: ({ parties }) => {
      const method = "apps.connections.open"
      parties.slack.fail({ kind: "error", error: "missing_scope", method, times: 1 })
      return BY_SOCKET
    },
    doctor: /fault slack requests: Slack rejected SLACK_APP_TOKEN .* → Create an app-level token/,
  },
  "a Slack that is asked too often": {
    spoil: ({ parties }) => {
      parties.slack.fail({ kind: "rate_limited", method: "auth.test", times: 1 })
      return {}
    },
    doctor: /fault slack token: .*\(ratelimited\) → Run the doctor again in a minute/,
  },
  "no Slack there, by Socket Mode": {
    spoil: () => ({ ...BY_SOCKET, SLACK_API_URL: "http://127.0.0.1:1/api/" }),
    doctor: /^(?!.*Turn on Socket Mode).*fault slack token: Couldn't verify SLACK_BOT_TOKEN/s,
  },
  "no service there": {
    spoil: () => ({ DOCS_API_URL: "http://127.0.0.1:1" }),
    doctor: /fault service: .* isn't responding: ECONNREFUSED → Check DOCS_API_URL/,
  },
  "a service without TLS": {
    spoil: ({ env }) => ({ DOCS_API_URL: env.DOCS_API_URL?.replace("http:", "https:") }),
    doctor: /fault service: .* over TLS \(ERR_SSL\w+\) → .*NODE_EXTRA_CA_CERTS/,
  },
  "a service that says nothing": {
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.silent }),
    doctor: /fault service: The documentation service isn't responding.* → Check DOCS_API_URL/,
  },
  "an address that redirects": {
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.redirect }),
    doctor: /fault service: DOCS_API_URL redirects to another address \(301\) → .*https:\/\//,
  },
  "an address of another site": {
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.page }),
    doctor: /fault service: DOCS_API_URL doesn't point to the doc.* → Check DOCS_API_URL/,
  },
  "a plan that isn't paid": {
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.unpaid }),
    doctor: /fault service: The documentation service demands a payment/,
  },
  "GitHub at any server": {
    spoil: ({ elsewhere }) => ({ GITHUB_API_URL: elsewhere.page }),
    doctor: /fault github: GITHUB_API_URL doesn't point to the GitHub API → Check GITHUB_API_URL/,
  },
  "admins whom Slack doesn't know as members": {
    spoil: () => ({ ADMIN_USERS: `U0NOBODY01,USLACKBOT,${GUS}` }),
    doctor: new RegExp(`warning admins: ADMIN_USERS lists U0NOBODY01, USLACKBOT, ${GUS}, whom`),
  },
}

const envWith = useWorld()

describe("OPS-2, OPS-3: from the command line", () => {
  test.each(Object.entries(FOUND_BY_THE_DOCTOR))("%s", async (_, { spoil, doctor }) => {
    expect((await wrongWith(envWith(spoil))).lines).toMatch(doctor)
  })

  /** Runs the doctor beside a running bot, with some settings made invalid. */
  const doctor = ({ redisUrl, env }: Bed, spoiled: Record<string, string> = {}) =>
    runDoctor({ REDIS_URL: redisUrl, ADMIN_USERS: CLEO, ...env, ...spoiled }, { json: false })

  test("all well: no fault, nothing posted, no message read and no job started", async (h) => {
    const { output, well } = await doctor(h)
    expect(output).toMatch(/ok +settings/)
    expect(output).toMatch(
      /ok +slack token +SLACK_BOT_TOKEN belongs to docs-agent in workspace Local Docs/,
    )
    expect(output).toMatch(/ok +slack permissions/)
    expect(output).toMatch(/ok +service +DOCS_API_KEY works/)
    expect(output).toMatch(/\n(No problems found|0 problems, \d warnings?)\.\n$/)
    expect(well).toBe(true)
    const calls = h.slack.calls.filter(({ method }) => /^(chat|views|conversations)\./.test(method))
    expect(calls).toEqual([])
    expect(h.docs.creations).toHaveLength(0)
  })

  test.each([
    ["ERR DB index is out of range", /→ Correct the number at the end of REDIS_URL/],
    ["NOPERM this user has no permissions", /→ Allow the Redis user to run all commands/],
  ])("a Redis that answers %j", async (error, line) => {
    await using redis = await startScriptedRedis({ error })
    expect((await doctor(await testBed(), { REDIS_URL: redis.url })).output).toMatch(line)
  })

  test("each of several projects is tried", async () => {
    const ids = ["docs-site", "second-site"]
    const h = await testBed({ docs: { projects: ids.map((id) => ({ id, key: SECRETS.apiKey })) } })
    const list = [{ name: "second", id: "second-site", key: "svc_wrong" }]
    const { output } = await doctor(h, { DOCS_PROJECTS: JSON.stringify(list) })
    expect(output).toMatch(/ok +service +DOCS_API_KEY works/)
    expect(output).toMatch(/fault +service +The key for project second was rejected/)
    expect(output).not.toContain("svc_wrong")
  })

  test("Socket Mode asks for a connection and opens none", async () => {
    // Keeps the bot from opening its second socket during the test.
    const timing = { ...FAST_TIMING, socketsApartMs: 3_600_000 }
    const h = await testBed({ mode: "socket", timing })
    const open = h.slack.sockets.open
    expect((await doctor(h)).output).toMatch(/ok +slack requests +Socket Mode/)
    expect(h.slack.sockets.open).toBe(open)
  })

  test.each([
    [200, { resources: { core: {} }, rate: {} }, true],
    [401, { message: "Bad credentials", documentation_url: "https://docs.github.com/rest" }, false],
  ])("GitHub's answer %i is known without its request id, too", async (status, body, works) => {
    await using server = await startRawService()
    server.answer = (_, res) => res.writeHead(status).end(JSON.stringify(body))
    const h = await testBed({ followsPulls: true })
    const { output } = await doctor(h, { GITHUB_API_URL: server.url })
    expect(output).toContain(works ? "GITHUB_TOKEN works" : "GitHub rejected GITHUB_TOKEN")
  })

  const WORKS = "ok +github +GITHUB_TOKEN works"
  const UNKNOWN = "fault +github +Couldn't check"

  test.each<[string, string, Fault?, requestsPerHour?: null]>([
    // "Accessing this endpoint does not count against your REST API rate limit."
    ["that is well", WORKS],
    // "Rate limits are disabled by default for GitHub Enterprise Server", where this is a 404.
    ["Enterprise without limits", WORKS, undefined, null],
    ["in an outage", UNKNOWN, { type: "status", status: 502, body: "html" }],
    ["that cuts the connection", UNKNOWN, { type: "reset" }],
    ["at a secondary limit", "warning +github +GITHUB_TOKEN", { type: "secondary_limit" }],
  ])("a GitHub %s is asked at no cost, and its token is not called bad", async (_, ...github) => {
    const [says, fault, requestsPerHour = 5000] = github
    const h = await testBed({ followsPulls: true, github: { requestsPerHour } })
    if (fault) h.github.fail(fault)
    const { output, well } = await doctor(h)
    expect(output).toMatch(new RegExp(says))
    expect(output).not.toContain("GitHub rejected GITHUB_TOKEN")
    expect(well).toBe(says !== UNKNOWN)
    expect(h.github.rate(SECRETS.gitHubToken)?.used ?? 0).toBe(0)
  })

  test.each([
    ["names no time", undefined, "in 1 min"],
    ["names one", 1200, "in 20 min"],
  ])(
    "a rate limit of the service that %s is a warning with the time to try again",
    async (_, retryAfter, when) => {
      const h = await testBed()
      h.docs.fail({ type: "rate_limited", kind: "visitors", retryAfter })
      const { output, well } = await doctor(h)
      expect(output).toMatch(
        new RegExp(
          `warning +service +DOCS_API_KEY wasn't checked.*\\n +→ Run the doctor again ${when}`,
        ),
      )
      expect(well).toBe(true)
    },
  )

  test("no secret is printed, and no key in a request's path, whatever is wrong", async (h) => {
    await doctor(h, { DOCS_PROJECT_ID: "nope" })
    expect(h.docs.requests.map(({ path }) => path).join()).not.toContain(SECRETS.apiKey)
    h.docs.fail({ type: "status", status: 403, body: "echo_authorization" })
    const { output } = await doctor(h, { REDIS_URL: "redis://user:hunter2@127.0.0.1:1" })
    for (const secret of [...Object.values(SECRETS), "hunter2"].filter((s) => s !== "docs-site"))
      expect(output).not.toContain(secret)
    expect(output).toMatch(/DOCS_API_KEY can't read .*\(403\): .*\[secret\]/)
  })
})

describe("OPS-2: in Slack", () => {
  test("who is no admin is refused politely; an admin is answered at once, and then told what was found, what is wrong first", async (h) => {
    const asked = (user: string) => h.slack.as(user).slash(DOCS, "/docs-agent", "doctor")
    expect((await asked(ADA)).shown?.text).toMatch(/Only an admin can do that/)
    expect(h.docs.requests).toHaveLength(0)
    expect((await asked(CLEO)).shown?.text).toMatch(/^Checking/)
    const told = await h.toldPrivately(CLEO, /No problems found|0 problems/)
    expect(JSON.stringify(told.blocks)).toContain("Slack's requests reach Docs Agent")
    h.docs.fail({ type: "expired_key" })
    await asked(CLEO)
    const { text } = await h.toldPrivately(CLEO, /[1-9] problem/)
    expect(text).toMatch(/DOCS_API_KEY was rejected .*\(401\): .*\n.*Create a new admin key/)
    expect(h.slack.channel(DOCS).all()).toEqual([])
    expect(h.docs.creations).toHaveLength(0)
  })

  test("the doctor answers an admin where nobody may ask, and when Slack does not say who asks", async () => {
    const h = await testBed({ env: { ALLOWED_CHANNELS: EDITORS } })
    h.slack.setScopes(Object.keys(SCOPES).filter((scope) => scope !== "users:read"))
    await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
    const told = await h.toldPrivately(CLEO, /\d problem/)
    expect(told.text).toMatch(/lacks users:read/)
  })

  test("a Redis that fails between two checks is one fault beside what the others found", async (h) => {
    const timeout = new Error("Command timed out")
    vi.spyOn(h.services.requestRedis, "hgetall").mockRejectedValue(timeout)
    const findings = await findingsOf(h)
    expect(findings.filter(({ level }) => level === "fault")).toMatchObject([
      { check: "redis", says: "Redis isn't responding (Command timed out)" },
    ])
    expect(findings.map(({ check }) => check)).toContain("github")
  })
})
