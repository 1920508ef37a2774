import { expect, test } from "vitest"
import { ConfigError, readConfig } from "../../src/config/config.ts"

/** Settings of a bot without a fault, as few as there can be. */
const GOOD_SETTINGS = {
  SLACK_BOT_TOKEN: "xoxb-1",
  SLACK_SIGNING_SECRET: "s",
  DOCS_API_URL: "https://docs.example/api/",
  DOCS_API_KEY: "svc_1",
  DOCS_PROJECT_ID: "p1",
}

/** Returns what is wrong with these settings, as the start lists it. */
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

/** Returns a list of projects, which have a name, an ID and a key if nothing else is said. */
const listed = (...more: object[]) => ({
  DOCS_PROJECTS: JSON.stringify(
    more.map((facts) => ({ name: "api", id: "p2", key: "svc_2", ...facts })),
  ),
})

test("a small environment is enough, and the rest has defaults", () => {
  const config = readConfig(GOOD_SETTINGS)
  expect(config.slack.mode).toBe("http")
  expect(config.docs.baseUrl).toBe("https://docs.example/api")
  expect(config.limits).toEqual({
    jobsPerHour: 99,
    reservedSlots: 5,
    maxQueuedPerUser: 50,
    analyticsPerHour: 100,
    jobsPerMonth: 0,
  })
  expect(config.store).toEqual({ kind: "embedded", dataDir: ".data" })
  expect(readConfig({ ...GOOD_SETTINGS, container: "oci" }).isInContainer).toBe(true)
})

const cluster = { store: { kind: "cluster" } }
const server = { store: { kind: "server" } }

test.each<[env: Record<string, string>, config: object]>([
  // GitHub's document on the REST API's base: "https://api.github.com",
  // "https://api.SUBDOMAIN.ghe.com" and "https://HOSTNAME/api/v3".
  [{}, { gitHubHost: "github.com" }],
  [{ GITHUB_API_URL: "https://api.octo.ghe.com" }, { gitHubHost: "octo.ghe.com" }],
  [{ GITHUB_API_URL: "https://git.example/api/v3/" }, { gitHubHost: "git.example" }],
  [{ GITHUB_API_URL: "https://api.a.example:8443/api/v3" }, { gitHubHost: "api.a.example:8443" }],
  [{ SLACK_APP_TOKEN: "xapp-1" }, { slack: { mode: "socket" } }],
  [{ SLACK_APP_TOKEN: "xapp-1", SLACK_SIGNING_SECRET: "" }, { slack: { mode: "socket" } }],
  [{ REDIS_URL: "redis://a:1, redis://b:2" }, cluster],
  [{ REDIS_URL: "redis://a:6379/0" }, server],
  [{ REDIS_URL: "rediss://u:p%40ss@a" }, server],
  [{ REDIS_URL: "redis://:pässword@a/?family=6" }, server],
  [{ REDIS_URL: "unix:/run/r.sock" }, server],
  [{ REDIS_URL: "unix:///run/r.sock" }, server],
  [{ REDIS_URL: "./r" }, server],
  [{ BIND_ADDRESS: "127.0.0.1" }, { bindAddress: "127.0.0.1" }],
  [{ BIND_ADDRESS: "::1" }, { bindAddress: "::1" }],
  [{ BIND_ADDRESS: "localhost" }, { bindAddress: "localhost" }],
  [{ PORT: "8080 " }, { port: 8080 }],
  [listed({ channels: ["C1", "C1"] }), { docs: { baseUrl: "https://docs.example/api" } }],
  [{ POLL_MIN_MS: "8000", POLL_MAX_MS: "8000" }, { polling: { minMs: 8000, maxMs: 8000 } }],
])("%j is read as %j", (env, config) => {
  expect(readConfig({ ...GOOD_SETTINGS, ...env })).toMatchObject(config)
})

test("OPS-1: every fault is listed at once, by name, without a value", () => {
  const faults = faultsOf({
    SLACK_BOT_TOKEN: "secret-but-wrong",
    DOCS_API_URL: "ftp://secret.example",
    JOBS_PER_HOUR: "100",
    POLL_MIN_MS: "9000",
    POLL_MAX_MS: "8000",
    ALLOW_EXTERNAL_USERS: "yes",
  })
  const begins = [
    "SLACK_BOT_TOKEN must start with xoxb-",
    "SLACK_SIGNING_SECRET (HTTP) or SLACK_APP_TOKEN (Socket Mode) is required",
    "DOCS_API_URL must be an http(s) URL",
    "DOCS_API_KEY is required",
    "DOCS_PROJECT_ID is required",
    "JOBS_PER_HOUR must be a whole number from 1 to 99",
    "POLL_MIN_MS can't be larger than POLL_MAX_MS",
    "ALLOW_EXTERNAL_USERS must be true or false",
  ]
  for (const words of begins) expect(faults).toContainEqual(expect.stringContaining(words))
  expect(faults.join("\n")).not.toMatch(/secret|ftp:|9000|yes/)
})

const REFUSED: readonly (readonly [Record<string, string>, RegExp])[] = [
  [{ SLACK_BOT_TOKEN: "" }, /SLACK_BOT_TOKEN is required/],
  // The same project with a blank that a file kept would have an hour of its own.
  [{ DOCS_PROJECT_ID: "p1 " }, /DOCS_PROJECT_ID can't be empty or contain spaces/],
  [{ SLACK_APP_TOKEN: "xoxb-1" }, /SLACK_APP_TOKEN must start with xapp-/],
  [{ SLACK_BOT_TOKEN: '"xoxb-1"' }, /SLACK_BOT_TOKEN can't contain spaces, line breaks, quotes/],
  [{ SLACK_SIGNING_SECRET: "abc\n" }, /SLACK_SIGNING_SECRET can't contain spaces/],
  [{ SLACK_SIGNING_SECRET: "xapp-1" }, /SLACK_SIGNING_SECRET is a token, not the signing secret/],
  [{ DOCS_API_KEY: "svc_schlüssel" }, /DOCS_API_KEY can't contain .*outside ASCII/],
  [{ GITHUB_TOKEN: "ghp_1 " }, /GITHUB_TOKEN can't contain spaces/],
  [
    { DOCS_PROJECT_ID: "svc_51f0c2aa97" },
    /DOCS_PROJECT_ID looks like an API key; check whether it and the key are swapped/,
  ],
  [{ DOCS_API_URL: "https://docs.example/v2" }, /DOCS_API_URL can't end with a version/],
  [{ SLACK_API_URL: "slack.com/api" }, /SLACK_API_URL must be an http\(s\) URL/],
  [{ GITHUB_API_URL: "github.com" }, /GITHUB_API_URL must be an http\(s\) URL/],
  // Paths are appended to a base, and the HTTP client refuses or drops what comes before an @.
  [{ DOCS_API_URL: "https://docs.example/api?tenant=1" }, /DOCS_API_URL .*without \?, # or user/],
  [{ DOCS_API_URL: "https://docs.example/#/" }, /DOCS_API_URL .*without \?, # or user/],
  [{ DOCS_API_URL: "https://ada:hunter2@docs.example" }, /DOCS_API_URL .*without \?, # or user/],
  [{ DOCS_JOB_PATH: "/v2/job/{jobId}#state" }, /DOCS_JOB_PATH must .*without spaces and #/],
  [{ DOCS_JOB_PATH: "/v2/job /{jobId}" }, /DOCS_JOB_PATH must .*without spaces and #/],
  [{ REDIS_URL: "http://127.0.0.1:6379" }, /REDIS_URL must be redis:/],
  [{ REDIS_URL: "127.0.0.1:6379" }, /REDIS_URL must be redis:/],
  [{ REDIS_URL: "redis://a:1,/run/redis.sock" }, /REDIS_URL must be redis:/],
  [{ REDIS_URL: "redis://u:50%off@a" }, /REDIS_URL must .*in a password, write % as %25/],
  [{ REDIS_URL: "redis://u:p%E4ss@a" }, /REDIS_URL must .*in a password, write % as %25/],
  [{ REDIS_URL: "redis://a:6379/cache" }, /REDIS_URL must be redis:/],
  [{ BIND_ADDRESS: "my-host" }, /BIND_ADDRESS must be an IP address/],
  [{ DOCS_JOB_PATH: "v2/job/{jobId}" }, /DOCS_JOB_PATH must start with \//],
  [{ DOCS_JOB_PATH: "/v2/job" }, /DOCS_JOB_PATH must .*contain \{jobId\}/],
  [{ DOCS_JOB_PATH: "/v2/{project}/{jobId}" }, /DOCS_JOB_PATH must .*only other place/],
  [{ DOCS_MESSAGE_PATH: "no" }, /DOCS_MESSAGE_PATH must be off, or must start/],
  [{ PORT: "65536" }, /PORT must be a whole number from 0 to 65535/],
  [{ PORT: " " }, /PORT must be a whole number/],
  [{ PORT: "0x10" }, /PORT must be a whole number/],
  [{ JOBS_PER_HOUR: "0" }, /JOBS_PER_HOUR must be a whole number from 1 to 99/],
  [
    { JOBS_PER_HOUR: "5", RESERVED_SLOTS: "5" },
    /RESERVED_SLOTS must be smaller than JOBS_PER_HOUR/,
  ],
  [{ DOCS_TIMEOUT_MS: "15" }, /DOCS_TIMEOUT_MS must be a whole number from 100/],
  [{ JOB_TIMEOUT_MINUTES: "1.5" }, /JOB_TIMEOUT_MINUTES must be a whole number/],
  [{ START_DELAY_SECONDS: "120" }, /START_DELAY_SECONDS must be .* to 60/],
  [{ PR_REMINDER_DAYS: "90" }, /PR_REMINDER_DAYS must be a whole number from 0 to 30/],
  [{ LOG_LEVEL: "verbose" }, /LOG_LEVEL must be debug, info, warn or error/],
  [{ ADMIN_USERS: "@cleo" }, /ADMIN_USERS must list member IDs like U012ABCDEF/],
  [{ ALLOWED_USERS: "ada,ben" }, /ALLOWED_USERS must list member IDs/],
  [{ ADMIN_USERS: "U012ABCDEF;U012ABCDEG" }, /ADMIN_USERS must list member IDs.*commas/],
  [{ ALLOWED_CHANNELS: "C012ABCDEF,D012ABCDEF" }, /ALLOWED_CHANNELS must list channel IDs/],
  [
    { DOCS_PROJECTS: "[oops]" },
    /DOCS_PROJECTS must be a JSON list on one line.* \(not valid JSON\)/,
  ],
  [{ DOCS_PROJECTS: "/no/such/file.json" }, /path to a file that contains one \(ENOENT\)/],
  [{ DOCS_PROJECTS: "Procfile" }, /DOCS_PROJECTS must be a JSON list.* \(not valid JSON\)/],
  [{ DOCS_PROJECTS: "[]" }, /DOCS_PROJECTS must list at least one project/],
  [{ ...listed({}), DOCS_API_KEY: "" }, /Set both DOCS_PROJECT_ID and DOCS_API_KEY, or neither/],
  [listed({ id: " p1" }), /^DOCS_PROJECTS: project 1: "id" can't be empty or contain spaces/],
  [listed({ key: undefined }), /^DOCS_PROJECTS: project 1: "key" is missing or has the wrong type/],
  [listed({ key: "svc_2\n" }), /^DOCS_PROJECTS: project 1: "key" can't contain spaces/],
  [listed({ name: "the api" }), /^DOCS_PROJECTS: project 1: "name" must be 1 to 40 letters/],
  [
    listed({ svc_secret: "key" }),
    /^DOCS_PROJECTS: project 1 has a field that isn't one of name, id, key and channels$/,
  ],
  [listed({}, { name: "b" }), /^DOCS_PROJECTS: api and b are the same project/],
  [
    listed({ id: "p1" }),
    /^DOCS_PROJECTS: DOCS_PROJECT_ID and api are the same project. Remove one/,
  ],
  [listed({}, { name: "API", id: "p3" }), /^DOCS_PROJECTS: api and API have the same name/],
  [
    listed({ name: "Docs" }),
    /^DOCS_PROJECTS: DOCS_PROJECT_ID and Docs have the same name. Rename one/,
  ],
  [
    listed({ channels: ["C1"] }, { name: "b", id: "p3", channels: ["C1"] }),
    /^DOCS_PROJECTS: api and b both list C1/,
  ],
  [listed({ channels: ["docs"] }), /^DOCS_PROJECTS: project 1: "channels" must list channel IDs/],
]

test.each(REFUSED)("OPS-17: %j is one fault, which says what it should be", (env, says) => {
  expect(faultsOf({ ...GOOD_SETTINGS, ...env })).toEqual([expect.stringMatching(says)])
})

test("SAFE-7: a configuration can be printed whole without a secret", () => {
  const config = readConfig({ ...GOOD_SETTINGS, REDIS_URL: "redis://:hunter2@host" })
  const printed = JSON.stringify(config) + String(config.slack.botToken)
  expect(printed).not.toMatch(/xoxb-1|svc_1|hunter2/)
})

test("what looks like a setting of the bot and is none is named, and nothing else of the environment is", () => {
  const env = {
    ...GOOD_SETTINGS,
    SLACK_BOT_TOKEN: "",
    SLACK_BOT_TOKN: "xoxb-1",
    ADMIN_USER: "U1",
    ALLOW_EXTERNAL_USER: "true",
    LOG_LEVLE: "debug",
    DOCS_API_URI: "https://elsewhere.example",
    DOCS_AGENT_SERVICE_HOST: "10.0.0.1",
    DOCS_AGENT_PORT_80_TCP: "tcp://10.0.0.1:80",
    GITHUB_ACTIONS: "true",
    PATH: "/usr/bin",
    PORTS: "1",
  }
  const unknown = [
    "SLACK_BOT_TOKN",
    "ADMIN_USER",
    "ALLOW_EXTERNAL_USER",
    "LOG_LEVLE",
    "DOCS_API_URI",
  ].map((n) => `${n} isn't a known setting`)
  expect(faultsOf(env)).toEqual(["SLACK_BOT_TOKEN is required", ...unknown])
  const { warnings } = readConfig({ ...env, SLACK_BOT_TOKEN: "xoxb-1" })
  expect(warnings).toEqual(unknown)
})
