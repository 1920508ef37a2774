import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { ConfigError, readConfig } from "../../src/config/config.ts"

const GOOD = {
  SLACK_BOT_TOKEN: "xoxb-1",
  SLACK_SIGNING_SECRET: "s",
  DOCS_API_URL: "https://docs.example/api/",
  DOCS_API_KEY: "svc_1",
  DOCS_PROJECT_ID: "p1",
}

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test("a small environment is enough, and the rest has defaults", () => {
  const config = readConfig(GOOD)
  expect(config.slack.mode).toBe("http")
  expect(config.docs.baseUrl).toBe("https://docs.example/api")
  expect(config.limits).toEqual({
    jobsPerHour: 99,
    reservedSlots: 5,
    maxQueuedPerUser: 50,
    analyticsPerHour: 100,
  })
  expect(config.store).toEqual({ kind: "embedded", dataDir: ".data" })
})

test.each([
  // "https://api.github.com", "https://api.SUBDOMAIN.ghe.com" and "https://HOSTNAME/api/v3": GitHub's
  // document on the REST API's base.
  [undefined, "github.com"],
  ["https://api.octo.ghe.com", "octo.ghe.com"],
  ["https://git.acme.example/api/v3/", "git.acme.example"],
  ["https://api.acme.example:8443/api/v3", "api.acme.example:8443"],
])("the GitHub behind %s is seen at %s", (api, host) => {
  expect(readConfig({ ...GOOD, ...(api ? { GITHUB_API_URL: api } : {}) }).gitHubHost).toBe(host)
})

test("every fault is listed at once, by name, without a value", () => {
  const faults = faultsOf({
    SLACK_BOT_TOKEN: "secret-but-wrong",
    DOCS_API_URL: "ftp://secret.example",
    JOBS_PER_HOUR: "100",
    POLL_MIN_MS: "9000",
    POLL_MAX_MS: "8000",
    ALLOW_EXTERNAL_USERS: "yes",
  })
  const named = faults.map((fault) => fault.split(" ")[0])
  for (const name of [
    "SLACK_BOT_TOKEN",
    "SLACK_SIGNING_SECRET",
    "DOCS_API_URL",
    "DOCS_API_KEY",
    "DOCS_PROJECT_ID",
    "JOBS_PER_HOUR",
    "POLL_MIN_MS",
    "ALLOW_EXTERNAL_USERS",
  ])
    expect(named).toContain(name)
  expect(faults.join("\n")).not.toMatch(/secret|ftp:|9000|yes/)
})

test("an empty variable counts as unset", () => {
  expect(readConfig({ ...GOOD, REDIS_URL: "", PORT: "" }).port).toBe(3000)
  expect(faultsOf({ ...GOOD, DOCS_API_KEY: "" })).toEqual(["DOCS_API_KEY is required"])
})

test("an app token means Socket Mode and needs no signing secret", () => {
  const { SLACK_SIGNING_SECRET: _, ...rest } = GOOD
  expect(readConfig({ ...rest, SLACK_APP_TOKEN: "xapp-1" }).slack.mode).toBe("socket")
})

test("several Redis addresses are a cluster", () => {
  const { store } = readConfig({ ...GOOD, REDIS_URL: "redis://a:1, redis://b:2" })
  expect(store.kind).toBe("cluster")
})

test.each([
  "redis://a:6379/0",
  "rediss://u:p%40ss@a",
  "/run/redis.sock",
  "unix:/run/r.sock",
  "unix:///run/r.sock",
  "./r",
])("REDIS_URL may be %s", (address) => {
  expect(readConfig({ ...GOOD, REDIS_URL: address }).store.kind).toBe("server")
})

test.each(["localhost:6379", "redis.example", "http://a", "redis://a:1,/run/r.sock"])(
  "REDIS_URL may not be %s: it would be taken for something else",
  (address) => {
    expect(faultsOf({ ...GOOD, REDIS_URL: address })).toEqual([
      expect.stringMatching(/^REDIS_URL must be redis:.* or the path of a Unix socket/),
    ])
  },
)

test.each([
  ["SLACK_BOT_TOKEN", '"xoxb-1"'],
  ["SLACK_SIGNING_SECRET", "s\n"],
  ["SLACK_APP_TOKEN", "xapp-1 "],
  ["DOCS_API_KEY", "svc_schlüssel"],
  ["DOCS_API_KEY", " svc_1"],
])("%s may not be %j: it was copied with something that is not part of it", (name, value) => {
  expect(faultsOf({ ...GOOD, [name]: value })).toEqual([
    `${name} can't contain spaces, line breaks or quotes`,
  ])
})

test.each([
  [
    '{"name":"api"}',
    "DOCS_PROJECTS must be a JSON list on one line, or the path of a file that holds one",
  ],
  ["[]", "DOCS_PROJECTS must list at least one project"],
  ["[7]", "DOCS_PROJECTS: project 1 must be an object"],
  ['[{"name":"api","key":"svc_2"}]', 'DOCS_PROJECTS: project 1 has no "id"'],
  [
    '[{"name":"api","id":"p2","key":"svc_2","chanels":[]}]',
    'DOCS_PROJECTS: project 1: "chanels" isn\'t a setting',
  ],
])("a list like %s is no list of projects", async (text, fault) => {
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-projects-"))
  const file = join(folder, "projects.json")
  await writeFile(file, text)
  expect(faultsOf({ ...GOOD, DOCS_PROJECTS: file })).toEqual([fault])
  await rm(folder, { recursive: true })
})

test("the key of a listed project may not hold what was copied with it either", () => {
  const list = JSON.stringify([{ name: "api", id: "p2", key: "svc_2\n" }])
  expect(faultsOf({ ...GOOD, DOCS_PROJECTS: list })).toEqual([
    'DOCS_PROJECTS: project 1: "key" can\'t contain spaces, line breaks or quotes',
  ])
})

test.each(["many", " ", "-1", "0x10", "1e3", "80.5", "65536"])(
  "PORT may not be %j: one fault says what it may be",
  (port) => {
    expect(faultsOf({ ...GOOD, PORT: port })).toEqual([
      "PORT must be a whole number from 0 to 65535",
    ])
  },
)

test.each(["127.0.0.1", "::1", "localhost", "0.0.0.0"])("BIND_ADDRESS may be %s", (address) => {
  expect(readConfig({ ...GOOD, BIND_ADDRESS: address }).bindAddress).toBe(address)
})

test.each(["127.0.0.1:3000", "bot.example", "http://127.0.0.1", "lo"])(
  "BIND_ADDRESS may not be %s",
  (address) => {
    expect(faultsOf({ ...GOOD, BIND_ADDRESS: address })).toEqual([
      "BIND_ADDRESS must be an IP address of this machine, such as 127.0.0.1",
    ])
  },
)

test("blanks around a number do no harm", () => {
  expect(readConfig({ ...GOOD, PORT: "8080 " }).port).toBe(8080)
})

test("a configuration can be printed whole without a secret", () => {
  const config = readConfig({ ...GOOD, REDIS_URL: "redis://:hunter2@host" })
  const printed = JSON.stringify(config) + String(config.slack.botToken)
  expect(printed).not.toMatch(/xoxb-1|svc_1|hunter2/)
})

describe("projects that get in each other's way", () => {
  const list = (...projects: object[]) =>
    JSON.stringify(projects.map((p) => ({ key: "svc_k", ...p })))
  const faults = (text: string) => faultsOf({ ...GOOD, DOCS_PROJECTS: text })

  test("one id under two names would have two hours", () => {
    expect(faults(list({ name: "docs", id: "a" }, { name: "guides", id: "a" }))).toEqual([
      "DOCS_PROJECTS: docs and guides are the same project. Remove one",
    ])
    expect(faults(list({ name: "docs", id: "p1" }))).toEqual([
      "DOCS_PROJECTS: DOCS_PROJECT_ID and docs are the same project. Remove one",
    ])
  })

  test("names that differ by case only are one to people", () => {
    expect(faults(list({ name: "docs", id: "a" }, { name: "Docs", id: "b" }))).toEqual([
      "DOCS_PROJECTS: docs and Docs have the same name. Rename one (names aren't case-sensitive)",
    ])
    expect(faults(list({ name: "P1", id: "a" }))).toEqual([
      "DOCS_PROJECTS: DOCS_PROJECT_ID and P1 have the same name. Rename one (names aren't case-sensitive)",
    ])
  })

  test("a channel has one project that it goes to", () => {
    const text = list(
      { name: "docs", id: "a", channels: ["C1", "C2"] },
      { name: "guides", id: "b", channels: ["C2"] },
    )
    expect(faults(text)).toEqual([
      "DOCS_PROJECTS: docs and guides both list C2. Remove it from one",
    ])
  })

  test("one channel listed twice under one project is no fault", () => {
    expect(faults(list({ name: "docs", id: "a", channels: ["C1", "C1"] }))).toEqual([])
  })
})

test("what looks like a setting of the bot and is none is named, and nothing else of the environment is", () => {
  const env = {
    ...GOOD,
    SLACK_BOT_TOKEN: "",
    SLACK_BOT_TOKN: "xoxb-1",
    ADMIN_USER: "U1",
    DOCS_API_URI: "https://elsewhere.example",
    DOCS_AGENT_SERVICE_HOST: "10.0.0.1",
    DOCS_AGENT_PORT_80_TCP: "tcp://10.0.0.1:80",
    GITHUB_ACTIONS: "true",
    PATH: "/usr/bin",
    PORTS: "1",
  }
  const unknown = ["SLACK_BOT_TOKN", "ADMIN_USER", "DOCS_API_URI"].map(
    (n) => `${n} isn't a setting`,
  )
  expect(faultsOf(env)).toEqual(["SLACK_BOT_TOKEN is required", ...unknown])
  const { warnings } = readConfig({ ...env, SLACK_BOT_TOKEN: "xoxb-1" })
  expect(warnings.map(({ says }) => says)).toEqual(unknown)
})

test.each([
  ["ADMIN_USERS", "@cleo, U0CLEO0001"],
  ["ALLOWED_USERS", "u0ada00001,W0BEN00001"],
  ["ALLOWED_CHANNELS", "#docs"],
  ["ALLOWED_CHANNELS", "C0DOCS0001,D0ADA00001"],
  ["DOCS_PROJECTS", '[{"name":"api","id":"p2","key":"svc_2","channels":["general"]}]'],
])("%s=%s holds something that can't be such an ID, which is said once", (name, value) => {
  const faults = faultsOf({ ...GOOD, [name]: value })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(new RegExp(`^${name}.* must list .* like [CU]012ABCDEF`))
})

test("with both of Slack's ways in, it's said which one is used", () => {
  const { slack, warnings } = readConfig({ ...GOOD, SLACK_APP_TOKEN: "xapp-1" })
  expect(slack.mode).toBe("socket")
  expect(warnings.map(({ says }) => says)).toEqual([
    expect.stringContaining("Socket Mode is used, and /slack/events isn't served"),
  ])
})

test.each(["/job/{id}", "/job", "job/{jobId}", "/{project}/job/{jobId}"])(
  "DOCS_JOB_PATH=%s is no path to a job",
  (path) => {
    expect(faultsOf({ ...GOOD, DOCS_JOB_PATH: path })).toHaveLength(1)
    expect(faultsOf({ ...GOOD, DOCS_MESSAGE_PATH: path })).toHaveLength(1)
  },
)
