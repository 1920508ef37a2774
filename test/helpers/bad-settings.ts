import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { SCOPES } from "../../src/slack/scopes.ts"
import { CLEO } from "../sandbox/slack/seed/ids.ts"
import { SECRETS, startOtherParties, type TestBed } from "../sandbox/test-bed.ts"
import { type RawService, startRawService } from "./raw-service.ts"
import { startTestRedis, type TestRedis } from "./redis.ts"
import { startScriptedRedis } from "./scripted-redis.ts"

/** Without the prefix that would give it away. */
const OTHER_KEY = "admin-0a1b2c3d4e"

type Env = Record<string, string | undefined>

interface World extends AsyncDisposable {
  parties: Pick<TestBed, "slack" | "docs" | "github">
  /** Well in every respect, over HTTP. */
  env: Record<string, string>
  /** Answers with a redirect, with a page of HTML, and with nothing. */
  elsewhere: { redirect: string; page: string; silent: string }
  /**
   * A Redis that is too old, one that wants a password, one with a clock two minutes off, and two that
   * take no writes.
   */
  redis: { old: string; locked: string; late: string; full: string; replica: string }
  folder: string
  port: string
}

async function startWorld(redisUrl: string): Promise<World> {
  const projects = [{ id: SECRETS.project, key: OTHER_KEY }]
  const {
    slack,
    docs,
    github,
    env: base,
  } = await startOtherParties({
    followsPulls: true,
    docs: { projects },
  })
  const env = { ...base, DOCS_API_KEY: OTHER_KEY }
  const services = await Promise.all([startRawService(), startRawService(), startRawService()])
  const [redirect, page, silent] = services as [RawService, RawService, RawService]
  redirect.answer = (_, res) => res.writeHead(301, { location: "https://docs.example/" }).end()
  page.answer = (_, res) => res.setHeader("content-type", "text/html").end("<h1>Welcome</h1>")
  silent.answer = () => {}
  const stores = await Promise.all([
    startScriptedRedis({ version: "5.0.14" }),
    startScriptedRedis({ error: "NOAUTH Authentication required." }),
    startScriptedRedis({ aheadMs: -120_000 }),
    startScriptedRedis({ writeError: "OOM command not allowed when used memory > 'maxmemory'." }),
    startScriptedRedis({ writeError: "READONLY You can't write against a read only replica." }),
  ])
  const [old = "", locked = "", late = "", full = "", replica = ""] = stores.map(({ url }) => url)
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-bad-"))
  await writeFile(join(folder, "key"), `${SECRETS.apiKey}\n`)
  await writeFile(join(folder, "empty"), "\n")
  await writeFile(join(folder, "projects.json"), "[{]")
  const taken: Server = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => taken.once("listening", resolve))
  return {
    parties: { slack, docs, github },
    env: { ...env, REDIS_URL: redisUrl, ADMIN_USERS: CLEO, PORT: "0", DOCS_TIMEOUT_MS: "700" },
    elsewhere: { redirect: redirect.url, page: page.url, silent: silent.url },
    redis: { old, locked, late, full, replica },
    folder,
    port: String((taken.address() as AddressInfo).port),
    async [Symbol.asyncDispose]() {
      taken.close()
      await Promise.all([...services, ...stores].map((one) => one[Symbol.asyncDispose]()))
      await Promise.all([slack.close(), docs.close(), github.close()])
      await rm(folder, { recursive: true })
    },
  }
}

/** A world for the tests of a file, as it was before each of them, and its environment with some settings spoilt. */
export function useWorld() {
  const own = {} as { redis: TestRedis; world: World }
  beforeAll(async () => {
    own.redis = await startTestRedis()
    own.world = await startWorld(own.redis.url)
  })
  beforeEach(() => own.world.parties.slack.setScopes(Object.keys(SCOPES)))
  afterAll(async () => {
    await own.world[Symbol.asyncDispose]()
    await own.redis.stop()
  })
  return (spoil: BadSettings["spoil"] = () => ({})) => ({ ...own.world.env, ...spoil(own.world) })
}

export interface BadSettings {
  kind: string
  spoil: (world: World) => Env
  /** What the doctor says, and the way out. */
  doctor: RegExp
  /** What a start says, in its error or its log; absent where only the doctor can know. */
  start?: RegExp
  /** The settings alone are at fault: a start ends before it reaches anybody. */
  isRefused?: true
}

/** A fault of the settings themselves: the doctor and a start say the same. */
function refused(env: Env | ((world: World) => Env), says: RegExp): BadSettings {
  return {
    kind: typeof env === "function" ? String(says) : JSON.stringify(env),
    spoil: typeof env === "function" ? env : () => env,
    doctor: new RegExp(`fault +settings +${says.source}[\\s\\S]*SETTINGS\\.md`),
    start: says,
    isRefused: true,
  }
}

/** Works, and not as it was meant: both name it. */
function warned(env: Env, says: RegExp): BadSettings {
  return {
    kind: JSON.stringify(env),
    spoil: () => env,
    doctor: new RegExp(`warning +settings +${says.source}`),
    start: says,
  }
}

const NO_SETTING = (name: string) => new RegExp(`${name} isn't a setting`)
const project = (more: object) => ({ name: "api", id: "p2", key: "svc_2", ...more })
const projects = (...list: object[]) => ({ DOCS_PROJECTS: JSON.stringify(list) })
const withoutScope = ({ parties, env }: World, name: string) => {
  parties.slack.setScopes(Object.keys(SCOPES).filter((scope) => scope !== name))
  return env
}

export const BAD_SETTINGS: readonly BadSettings[] = [
  refused({ SLACK_BOT_TOKEN: "" }, /SLACK_BOT_TOKEN is required/),
  refused(
    { SLACK_SIGNING_SECRET: "" },
    /SLACK_SIGNING_SECRET \(HTTP\) or SLACK_APP_TOKEN \(Socket Mode\) is required/,
  ),
  refused({ DOCS_API_URL: "" }, /DOCS_API_URL is required/),
  refused({ DOCS_API_KEY: "" }, /DOCS_API_KEY is required/),
  refused({ DOCS_PROJECT_ID: "" }, /DOCS_PROJECT_ID is required/),
  refused({ SLACK_BOT_TOKEN: "xoxp-1" }, /SLACK_BOT_TOKEN must start with xoxb-/),
  refused({ SLACK_APP_TOKEN: "xoxb-1" }, /SLACK_APP_TOKEN must start with xapp-/),
  refused(
    { SLACK_BOT_TOKEN: '"xoxb-1"' },
    /SLACK_BOT_TOKEN can't contain spaces, line breaks or quotes/,
  ),
  refused({ SLACK_SIGNING_SECRET: "abc\n" }, /SLACK_SIGNING_SECRET can't contain spaces/),
  refused(
    { SLACK_SIGNING_SECRET: SECRETS.appToken },
    /SLACK_SIGNING_SECRET is a token, not the signing secret/,
  ),
  refused({ DOCS_API_KEY: "svc_1 " }, /DOCS_API_KEY can't contain spaces/),
  refused({ DOCS_API_KEY: "Bearer svc_1" }, /DOCS_API_KEY can't contain spaces/),
  refused({ GITHUB_TOKEN: "ghp_1 " }, /GITHUB_TOKEN can't contain spaces/),
  refused(
    { DOCS_PROJECT_ID: "svc_51f0c2aa97" },
    /DOCS_PROJECT_ID looks like an API key; check whether it and the key are swapped/,
  ),
  refused({ DOCS_API_URL: "docs.example" }, /DOCS_API_URL must be an http\(s\) URL/),
  refused(
    ({ env }) => ({ DOCS_API_URL: `${env.DOCS_API_URL}/v2` }),
    /DOCS_API_URL can't end with a version/,
  ),
  refused({ SLACK_API_URL: "slack.com/api" }, /SLACK_API_URL must be an http\(s\) URL/),
  refused({ GITHUB_API_URL: "github.com" }, /GITHUB_API_URL must be an http\(s\) URL/),
  refused({ REDIS_URL: "http://127.0.0.1:6379" }, /REDIS_URL must be redis:/),
  refused({ REDIS_URL: "127.0.0.1:6379" }, /REDIS_URL must be redis:/),
  refused({ REDIS_URL: "redis://a:1,/run/redis.sock" }, /REDIS_URL must be redis:/),
  refused({ BIND_ADDRESS: "my-host" }, /BIND_ADDRESS must be an IP address/),
  refused({ DOCS_JOB_PATH: "v2/job/{jobId}" }, /DOCS_JOB_PATH must start with \//),
  refused({ DOCS_JOB_PATH: "/v2/job" }, /DOCS_JOB_PATH must .*contain \{jobId\}/),
  refused({ DOCS_JOB_PATH: "/v2/{project}/{jobId}" }, /DOCS_JOB_PATH must .*only other place/),
  refused({ DOCS_MESSAGE_PATH: "no" }, /DOCS_MESSAGE_PATH must be off, or must start/),
  refused({ PORT: "http" }, /PORT must be a whole number from 0 to 65535/),
  refused({ PORT: "70000" }, /PORT must be a whole number/),
  refused({ JOBS_PER_HOUR: "100" }, /JOBS_PER_HOUR must be a whole number from 1 to 99/),
  refused({ JOBS_PER_HOUR: "0" }, /JOBS_PER_HOUR must be a whole number from 1 to 99/),
  refused(
    { JOBS_PER_HOUR: "5", RESERVED_SLOTS: "5" },
    /RESERVED_SLOTS must be smaller than JOBS_PER_HOUR/,
  ),
  refused(
    { POLL_MIN_MS: "9000", POLL_MAX_MS: "8000" },
    /POLL_MIN_MS can't be larger than POLL_MAX_MS/,
  ),
  refused({ DOCS_TIMEOUT_MS: "15" }, /DOCS_TIMEOUT_MS must be a whole number from 100/),
  refused({ DOCS_TIMEOUT_MS: "15s" }, /DOCS_TIMEOUT_MS must be a whole number/),
  refused({ MAX_QUEUED_PER_USER: "-1" }, /MAX_QUEUED_PER_USER must be a whole number/),
  refused({ JOB_TIMEOUT_MINUTES: "1.5" }, /JOB_TIMEOUT_MINUTES must be a whole number/),
  refused({ ANALYTICS_PER_HOUR: "all" }, /ANALYTICS_PER_HOUR must be a whole number/),
  refused({ AUDIT_DAYS: "forever" }, /AUDIT_DAYS must be a whole number/),
  refused({ PR_REMINDER_DAYS: "90" }, /PR_REMINDER_DAYS must be a whole number from 0 to 30/),
  refused({ ALLOW_EXTERNAL_USERS: "yes" }, /ALLOW_EXTERNAL_USERS must be true or false/),
  refused({ LOG_LEVEL: "verbose" }, /LOG_LEVEL must be debug, info, warn or error/),
  refused({ ADMIN_USERS: "@cleo" }, /ADMIN_USERS must list member IDs like U012ABCDEF/),
  refused({ ALLOWED_USERS: "ada,ben" }, /ALLOWED_USERS must list member IDs/),
  refused({ ADMIN_USERS: "U012ABCDEF;U012ABCDEG" }, /ADMIN_USERS must list member IDs.*commas/),
  refused({ ALLOWED_CHANNELS: "#docs" }, /ALLOWED_CHANNELS must list channel IDs like C012ABCDEF/),
  refused({ ALLOWED_CHANNELS: "D012ABCDEF" }, /ALLOWED_CHANNELS must list channel IDs/),
  refused({ DOCS_PROJECTS: "[oops]" }, /DOCS_PROJECTS must be a JSON list/),
  refused({ DOCS_PROJECTS: "[" }, /DOCS_PROJECTS must be a JSON list on one line/),
  refused({ DOCS_PROJECTS: "/nowhere.json" }, /DOCS_PROJECTS must be .*the path of a file/),
  refused(
    ({ folder }) => ({ DOCS_PROJECTS: `${folder}/projects.json` }),
    /DOCS_PROJECTS must be a JSON list/,
  ),
  refused(projects(), /DOCS_PROJECTS must list at least one project/),
  refused(projects({ name: "api", id: "p2" }), /DOCS_PROJECTS: project 1 has no "key"/),
  refused(
    projects(project({ name: "the api" })),
    /DOCS_PROJECTS: project 1: "name" can have up to 40 letters/,
  ),
  refused(projects(project({ url: "x" })), /DOCS_PROJECTS: project 1: "url" isn't a setting/),
  refused(
    projects(project({}), project({ name: "b" })),
    /DOCS_PROJECTS: api and b are the same project/,
  ),
  refused(
    projects(project({}), project({ name: "API", id: "p3" })),
    /DOCS_PROJECTS: api and API have the same name/,
  ),
  refused(
    projects(project({ channels: ["C1"] }), project({ name: "b", id: "p3", channels: ["C1"] })),
    /DOCS_PROJECTS: api and b both list C1/,
  ),
  refused(
    projects(project({ channels: ["docs"] })),
    /DOCS_PROJECTS: project 1: "channels" must list channel IDs/,
  ),
  refused(
    { DOCS_API_KEY: "", DOCS_API_KEY_FILE: "/nowhere" },
    /DOCS_API_KEY_FILE must be the path of a readable, non-empty file/,
  ),
  refused(
    ({ folder }) => ({ DOCS_API_KEY: "", DOCS_API_KEY_FILE: `${folder}/empty` }),
    /DOCS_API_KEY_FILE must be the path of a readable, non-empty file/,
  ),
  refused(
    ({ folder }) => ({ DOCS_API_KEY_FILE: `${folder}/key` }),
    /DOCS_API_KEY and DOCS_API_KEY_FILE are both set/,
  ),
  warned({ ADMIN_USER: CLEO }, NO_SETTING("ADMIN_USER")),
  warned({ JOBS_PER_HOURS: "50" }, NO_SETTING("JOBS_PER_HOURS")),
  warned({ GITHUB_API: "https://git.example" }, NO_SETTING("GITHUB_API")),
  warned(
    { SLACK_APP_TOKEN: SECRETS.appToken },
    /SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Socket Mode is used/,
  ),
  {
    kind: "a bot token of nobody",
    spoil: () => ({ SLACK_BOT_TOKEN: "xoxb-wrong" }),
    doctor:
      /fault +slack token +Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)\n +→ Copy the Bot User OAuth Token/,
    start: /Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)\. Copy the Bot User OAuth Token/,
  },
  {
    kind: "an app token of nobody",
    spoil: () => ({ SLACK_APP_TOKEN: "xapp-wrong", SLACK_SIGNING_SECRET: "" }),
    doctor:
      /fault +slack requests +Slack rejected SLACK_APP_TOKEN .*\n +→ Create an app-level token/,
    start: /Slack rejected SLACK_APP_TOKEN .* Create an app-level token/,
  },
  {
    kind: "an app token that may open no connection",
    spoil: ({ parties }) => {
      parties.slack.fail({
        kind: "error",
        error: "missing_scope",
        method: "apps.connections.open",
        times: 1,
      })
      return { SLACK_APP_TOKEN: SECRETS.appToken, SLACK_SIGNING_SECRET: "" }
    },
    doctor:
      /fault +slack requests +Slack rejected SLACK_APP_TOKEN .*\n +→ Create an app-level token/,
    start: /Slack rejected SLACK_APP_TOKEN .* Create an app-level token/,
  },
  {
    kind: "a permission that is missing",
    spoil: (world) => withoutScope(world, "users:read"),
    doctor:
      /fault +slack permissions +The token lacks users:read .*\n +→ Print the manifest with "node dist\/main.js manifest --host/,
    start: /The token lacks users:read/,
  },
  {
    kind: "Slack somewhere else",
    spoil: ({ elsewhere }) => ({ SLACK_API_URL: `${elsewhere.page}/` }),
    doctor: /fault +slack token +Couldn't verify SLACK_BOT_TOKEN .*\n +→ Check SLACK_API_URL/,
    start: /Check SLACK_API_URL.*Slack isn't responding; retrying/,
  },
  {
    kind: "no Redis there",
    spoil: () => ({ REDIS_URL: "redis://127.0.0.1:1" }),
    doctor: /fault +redis +Redis isn't responding \(.*ECONNREFUSED.*\n +→ Start Redis, or correct/,
    start: /Redis isn't responding \(.*ECONNREFUSED/,
  },
  {
    kind: "no host of Redis's name",
    spoil: () => ({ REDIS_URL: "redis://redis.invalid:6379" }),
    doctor: /fault +redis .*\n +→ Correct the host in REDIS_URL, or check DNS/,
    start: /Correct the host in REDIS_URL/,
  },
  {
    kind: "a Redis with a password",
    spoil: ({ redis }) => ({ REDIS_URL: redis.locked }),
    doctor: /fault +redis +Redis rejected the user.*\n +→ Correct the user and password in/,
    start: /Correct the user and password in REDIS_URL/,
  },
  {
    kind: "an old Redis",
    spoil: ({ redis }) => ({ REDIS_URL: redis.old }),
    doctor: /fault +redis +Redis 5\.0\.14 is too old\n +→ Install Redis 6\.2/,
    start: /Redis 5\.0\.14 is too old\. Install Redis 6\.2/,
  },
  {
    kind: "a Redis without room",
    spoil: ({ redis }) => ({ REDIS_URL: redis.full }),
    doctor: /fault +redis +Redis is out of memory.*\n +→ .*REDIS_URL/,
    start: /Redis is out of memory/,
  },
  {
    kind: "a replica instead of a Redis",
    spoil: ({ redis }) => ({ REDIS_URL: redis.replica }),
    doctor: /fault +redis +Redis is read-only.*\n +→ .*REDIS_URL/,
    start: /Redis is read-only/,
  },
  {
    kind: "a Redis whose clock is off",
    spoil: ({ redis }) => ({ REDIS_URL: redis.late }),
    doctor:
      /fault +clock +Redis's clock is 1\d\d\.\d s behind .*\n +→ Turn on time synchronization/,
    start: /Redis's clock is 1\d\d\.\d s behind/,
  },
  {
    kind: "no Redis anywhere",
    spoil: ({ folder }) => ({ REDIS_URL: "", PATH: folder, DATA_DIR: folder }),
    doctor:
      /fault +redis +No Redis: REDIS_URL isn't set and .*\n +→ Set REDIS_URL, or install redis-server/,
    start: /No Redis: set REDIS_URL, or install redis-server/,
  },
  {
    kind: "a key of nobody",
    spoil: () => ({ DOCS_API_KEY: "svc_wrong" }),
    doctor: /fault +service +DOCS_API_KEY was rejected .*\n +→ Create a new admin key/,
  },
  {
    kind: "a project that there is not",
    spoil: () => ({ DOCS_PROJECT_ID: "nope" }),
    doctor:
      /fault +service +The documentation service can't find the project in DOCS_PROJECT_ID .*\n +→ Copy the project ID/,
  },
  {
    kind: "key and project swapped",
    spoil: ({ env }) => ({ DOCS_API_KEY: env.DOCS_PROJECT_ID, DOCS_PROJECT_ID: OTHER_KEY }),
    doctor:
      /^(?!.*admin-0a1b2c3d4e)[\s\S]*fault +service +DOCS_API_KEY was rejected .*\n +→ Create a new admin key/,
  },
  {
    kind: "no service there",
    spoil: () => ({ DOCS_API_URL: "http://127.0.0.1:1" }),
    doctor:
      /fault +service +The documentation service isn't responding: ECONNREFUSED\n +→ Check DOCS_API_URL/,
  },
  {
    kind: "a service without TLS",
    spoil: ({ env }) => ({ DOCS_API_URL: env.DOCS_API_URL?.replace("http:", "https:") }),
    doctor:
      /fault +service +Couldn't make a TLS connection to DOCS_API_URL.*: ERR_SSL\w+\n +→ .*NODE_EXTRA_CA_CERTS/,
  },
  {
    kind: "a service that says nothing",
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.silent }),
    doctor: /fault +service +The documentation service isn't responding.*\n +→ Check DOCS_API_URL/,
  },
  {
    kind: "an address that redirects",
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.redirect }),
    doctor: /fault +service +DOCS_API_URL redirects to another address \(301\)\n +→ .*https:\/\//,
  },
  {
    kind: "an address of another site",
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.page }),
    doctor:
      /fault +service +DOCS_API_URL doesn't point to the documentation service.*\n +→ Check DOCS_API_URL/,
  },
  {
    kind: "a GitHub token of nobody",
    spoil: () => ({ GITHUB_TOKEN: "ghp_wrong" }),
    doctor: /fault +github +GitHub rejected GITHUB_TOKEN.*\n +→ Set GITHUB_TOKEN to/,
    start: /GitHub rejected GITHUB_TOKEN/,
  },
  {
    kind: "GitHub at any server",
    spoil: ({ elsewhere }) => ({ GITHUB_API_URL: elsewhere.page }),
    doctor:
      /fault +github +GITHUB_API_URL doesn't point to the GitHub API\n +→ Check GITHUB_API_URL/,
    start: /GITHUB_API_URL doesn't point to the GitHub API/,
  },
  {
    kind: "no GitHub there",
    spoil: () => ({ GITHUB_API_URL: "http://127.0.0.1:1" }),
    doctor: /warning +github +Couldn't check GITHUB_TOKEN.*\n +→ Check GITHUB_API_URL/,
  },
]

/** Faults of this machine, which only a start can meet. */
export const BAD_MACHINE: readonly Omit<BadSettings, "doctor">[] = [
  {
    kind: "a port that is taken",
    spoil: ({ port }) => ({ PORT: port }),
    start: /Port \d+ is used by another program\. Set PORT to a free one/,
  },
  {
    kind: "an address of another machine",
    spoil: () => ({ BIND_ADDRESS: "192.0.2.1" }),
    start: /BIND_ADDRESS isn't an address of this machine/,
  },
]
