import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { SCOPES } from "../../src/slack/scopes.ts"
import { CLEO } from "../sandbox/slack/index.ts"
import { SECRETS, startOtherParties, type TestBed } from "../sandbox/test-bed.ts"
import { type RawService, startRawService } from "./raw-service.ts"
import { startTestRedis, type TestRedis } from "./redis.ts"
import { startScriptedRedis } from "./scripted-redis.ts"

/** API key without its usual prefix, which would give it away as a key. */
const OTHER_KEY = "admin-0a1b2c3d4e"

type Env = Record<string, string | undefined>

interface World extends AsyncDisposable {
  parties: Pick<TestBed, "slack" | "docs" | "github">
  /** Settings for a bot with no faults, over HTTP. */
  env: Record<string, string>
  /** Addresses of a redirect, of an HTML page, and of a server that never answers. */
  elsewhere: { redirect: string; page: string; silent: string; unpaid: string }
  /**
   * URLs of servers that are too old, need a password, are two minutes slow, are full, or are
   * read-only replicas.
   */
  redis: { old: string; locked: string; late: string; full: string; replica: string }
  /** Path of a folder without a redis-server, and of one with a file of that name. */
  folder: string
  serverFolder: string
  port: string
}

async function startWorld(redisUrl: string): Promise<World> {
  const projects = [{ id: SECRETS.project, key: OTHER_KEY }]
  const parties = await startOtherParties({ followsPulls: true, docs: { projects } })
  const env = { ...parties.env, DOCS_API_KEY: OTHER_KEY }
  const services = await Promise.all([
    answering((res) => res.writeHead(301, { location: "https://docs.example/" }).end()),
    answering((res) => res.setHeader("content-type", "text/html").end("<h1>Welcome</h1>")),
    answering(() => {}),
    answering((res) => res.writeHead(402).end(JSON.stringify({ error: "payment required" }))),
  ])
  const [redirect, page, silent, unpaid] = services
  const stores = await Promise.all([
    startScriptedRedis({ version: "5.0.14" }),
    startScriptedRedis({ error: "NOAUTH Authentication required." }),
    startScriptedRedis({ aheadMs: -120_000 }),
    startScriptedRedis({ writeError: "OOM command not allowed when used memory > 'maxmemory'." }),
    startScriptedRedis({ writeError: "READONLY You can't write against a read only replica." }),
  ])
  const [old = "", locked = "", late = "", full = "", replica = ""] = stores.map(({ url }) => url)
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-bad-"))
  const serverFolder = join(folder, "bin")
  await mkdir(serverFolder)
  await writeFile(join(serverFolder, "redis-server"), "")
  const taken = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => taken.once("listening", resolve))
  return {
    parties,
    env: { ...env, REDIS_URL: redisUrl, ADMIN_USERS: CLEO, PORT: "0", DOCS_TIMEOUT_MS: "700" },
    elsewhere: { redirect: redirect.url, page: page.url, silent: silent.url, unpaid: unpaid.url },
    redis: { old, locked, late, full, replica },
    folder,
    serverFolder,
    port: String((taken.address() as AddressInfo).port),
    async [Symbol.asyncDispose]() {
      taken.close()
      await Promise.all([...services, ...stores].map((one) => one[Symbol.asyncDispose]()))
      await parties[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

async function answering(answer: (response: ServerResponse) => void): Promise<RawService> {
  return Object.assign(await startRawService(), {
    answer: (_: IncomingMessage, response: ServerResponse) => answer(response),
  })
}

/** Starts a world for a file's tests. @returns a function that spoils some of its settings */
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
  /** Output of the doctor: the fault and its remedy. */
  doctor: RegExp
  /** Output of a start; absent if the doctor alone finds the fault, or another kind shows it. */
  start?: RegExp
}

/** Settings of a bot that Slack's requests reach by Socket Mode alone. */
const BY_SOCKET = { SLACK_APP_TOKEN: SECRETS.appToken, SLACK_SIGNING_SECRET: "" }

/** Returns the settings of a bot that starts a redis-server of its own. */
const ownServer = ({ serverFolder }: World) => ({ REDIS_URL: "", PATH: serverFolder })

/** Set-ups that somebody got wrong, for the doctor. `config.test.ts` has the values of settings. */
export const BAD_SETTINGS: readonly BadSettings[] = [
  {
    kind: "a setting that is none of its kind",
    spoil: () => ({ PORT: "many" }),
    doctor: /fault +settings +PORT must be a whole number[\s\S]*SETTINGS\.md/,
    start: /PORT must be a whole number/,
  },
  {
    kind: "a setting that there is not",
    spoil: () => ({ ADMIN_USER: CLEO }),
    doctor: /warning +settings +ADMIN_USER isn't a known setting/,
    start: /ADMIN_USER isn't a known setting/,
  },
  {
    kind: "a bot token of nobody",
    spoil: () => ({ SLACK_BOT_TOKEN: "xoxb-wrong" }),
    doctor:
      /fault +slack token +Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)\n +→ Copy the Bot User OAuth Token/,
    start: /Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)\. Copy the Bot User OAuth Token/,
  },
  {
    kind: "an app token of nobody",
    spoil: () => ({ ...BY_SOCKET, SLACK_APP_TOKEN: "xapp-wrong" }),
    doctor:
      /fault +slack requests +Slack rejected SLACK_APP_TOKEN .*\n +→ Create an app-level token/,
    start: /Slack rejected SLACK_APP_TOKEN .* Create an app-level token/,
  },
  {
    kind: "an app token that may open no connection",
    spoil: ({ parties }) => {
      const method = "apps.connections.open"
      parties.slack.fail({ kind: "error", error: "missing_scope", method, times: 1 })
      return BY_SOCKET
    },
    doctor:
      /fault +slack requests +Slack rejected SLACK_APP_TOKEN .*\n +→ Create an app-level token/,
  },
  {
    kind: "a Slack that is asked too often",
    spoil: ({ parties }) => {
      parties.slack.fail({ kind: "rate_limited", method: "auth.test", times: 1 })
      return {}
    },
    doctor: /fault +slack token +.*\(ratelimited\)\n +→ Run the doctor again in a minute/,
  },
  {
    kind: "a permission that is missing",
    spoil: ({ parties }) => {
      parties.slack.setScopes(Object.keys(SCOPES).filter((scope) => scope !== "users:read"))
      return {}
    },
    doctor:
      /fault +slack permissions +The token lacks users:read \(to recognize guests.*\n +→ Print the manifest with "node dist\/main.js manifest --host/,
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
    start: /ECONNREFUSED.*"msg":"Redis isn't responding/,
  },
  {
    kind: "another server instead of Redis",
    spoil: ({ elsewhere }) => ({ REDIS_URL: elsewhere.page.replace("http:", "redis:") }),
    doctor: /fault +redis +The server in REDIS_URL isn't Redis\n +→ .*correct the address/,
    start: /The server in REDIS_URL isn't Redis/,
  },
  {
    kind: "no host of Redis's name",
    spoil: () => ({ REDIS_URL: "redis://redis.invalid:6379" }),
    doctor: /fault +redis .*\n +→ Correct the host in REDIS_URL, or check DNS/,
  },
  {
    kind: "a Redis with a password",
    spoil: ({ redis }) => ({ REDIS_URL: redis.locked }),
    doctor: /fault +redis +Redis rejected the user.*\n +→ Correct the user and password in/,
    start: /Redis rejected the user or password in REDIS_URL/,
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
  },
  {
    kind: "a replica instead of a Redis",
    spoil: ({ redis }) => ({ REDIS_URL: redis.replica }),
    doctor: /fault +redis +Redis is read-only.*\n +→ .*REDIS_URL/,
  },
  {
    kind: "a Redis whose clock is off",
    spoil: ({ redis }) => ({ REDIS_URL: redis.late }),
    doctor:
      /fault +clock +Redis's clock is 1\d\d\.\d s behind .*\n +→ Turn on time synchronization/,
  },
  {
    kind: "no Redis anywhere",
    spoil: ({ folder }) => ({ REDIS_URL: "", PATH: folder, DATA_DIR: folder }),
    doctor:
      /fault +redis +No Redis: REDIS_URL isn't set and .*\n +→ Set REDIS_URL, or install redis-server/,
    start: /No Redis: set REDIS_URL, or install redis-server/,
  },
  {
    kind: "no folder for a Redis of its own",
    spoil: (world) => ({ ...ownServer(world), DATA_DIR: "/dev/null/data" }),
    doctor: /fault +redis +Docs Agent's own redis-server can't keep .*\n +→ Set DATA_DIR/,
    start: /own redis-server can't keep its data in .*\. Set DATA_DIR to a folder/,
  },
  {
    kind: "a folder too long for a Redis of its own",
    spoil: (world) => ({ ...ownServer(world), DATA_DIR: "a".repeat(100) }),
    doctor: /fault +redis +DATA_DIR is too long .*\n +→ Set a shorter DATA_DIR/,
    start: /DATA_DIR is too long .*\. Set a shorter DATA_DIR/,
  },
  {
    kind: "a key of nobody",
    spoil: () => ({ DOCS_API_KEY: "svc_wrong" }),
    doctor: /fault +service +DOCS_API_KEY was rejected .*\n +→ Create a new admin key/,
    start: /DOCS_API_KEY was rejected/,
  },
  {
    kind: "a project that there is not",
    spoil: () => ({ DOCS_PROJECT_ID: "nope" }),
    doctor:
      /fault +service +The documentation service can't find the project in DOCS_PROJECT_ID .*\n +→ Copy the project ID/,
    start: /can't find the project/,
  },
  {
    kind: "key and project swapped",
    spoil: ({ env }) => ({ DOCS_API_KEY: env.DOCS_PROJECT_ID, DOCS_PROJECT_ID: OTHER_KEY }),
    doctor:
      /^(?!.*admin-0a1b2c3d4e)[\s\S]*fault +service +DOCS_API_KEY was rejected .*\n +→ Create a new admin key/,
    start: /DOCS_API_KEY was rejected/,
  },
  {
    kind: "no service there",
    spoil: () => ({ DOCS_API_URL: "http://127.0.0.1:1" }),
    doctor:
      /fault +service +The documentation service isn't responding: ECONNREFUSED\n +→ Check DOCS_API_URL/,
    start: /documentation service isn't responding/,
  },
  {
    kind: "a service without TLS",
    spoil: ({ env }) => ({ DOCS_API_URL: env.DOCS_API_URL?.replace("http:", "https:") }),
    doctor:
      /fault +service +Couldn't connect to DOCS_API_URL over TLS.*: ERR_SSL\w+\n +→ .*NODE_EXTRA_CA_CERTS/,
    start: /over TLS/,
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
    start: /redirects to another address/,
  },
  {
    kind: "an address of another site",
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.page }),
    doctor:
      /fault +service +DOCS_API_URL doesn't point to the documentation service.*\n +→ Check DOCS_API_URL/,
    start: /doesn't point to the documentation service/,
  },
  {
    kind: "a GitHub token of nobody",
    spoil: () => ({ GITHUB_TOKEN: "ghp_wrong" }),
    doctor: /fault +github +GitHub rejected GITHUB_TOKEN.*\n +→ Set a new GITHUB_TOKEN/,
  },
  {
    kind: "GitHub at any server",
    spoil: ({ elsewhere }) => ({ GITHUB_API_URL: elsewhere.page }),
    doctor:
      /fault +github +GITHUB_API_URL doesn't point to the GitHub API\n +→ Check GITHUB_API_URL/,
  },
  {
    kind: "no GitHub there",
    spoil: () => ({ GITHUB_API_URL: "http://127.0.0.1:1" }),
    doctor: /fault +github +Couldn't check GITHUB_TOKEN.*\n +→ Check GITHUB_API_URL/,
  },
  {
    kind: "a proxy without a scheme",
    spoil: () => ({ HTTPS_PROXY: "proxy.example:3128" }),
    doctor: /fault +settings +HTTPS_PROXY must be a URL with http:\/\//,
    start: /HTTPS_PROXY must be a URL with http:\/\//,
  },
  {
    kind: "no host of the service's name",
    spoil: () => ({ DOCS_API_URL: "http://docs.invalid" }),
    doctor:
      /fault +service +No address was found for the host of the documentation service \(E\w+\)\n +→ Correct the host in DOCS_API_URL/,
    start: /No address was found for the host of the documentation service/,
  },
  {
    kind: "no host of Slack's name",
    spoil: () => ({ SLACK_API_URL: "http://slack.invalid/api/" }),
    doctor:
      /fault +slack token +No address was found for the host of Slack \(E\w+\)\n +→ Correct the host in SLACK_API_URL/,
    start: /No address was found for the host of Slack/,
  },
  {
    kind: "no host of Slack's name, by Socket Mode",
    spoil: () => ({ ...BY_SOCKET, SLACK_API_URL: "http://slack.invalid/api/" }),
    doctor: /^(?!.*Turn on Socket Mode)[\s\S]*fault +slack token +No address was found/,
    start: /No address was found for the host of Slack/,
  },
  {
    kind: "no host of GitHub's name",
    spoil: () => ({ GITHUB_API_URL: "http://github.invalid" }),
    doctor: /fault +github +No address was found for the host of GitHub/,
  },
  {
    kind: "no Slack there, by Socket Mode",
    spoil: () => ({ ...BY_SOCKET, SLACK_API_URL: "http://127.0.0.1:1/api/" }),
    doctor: /^(?!.*Turn on Socket Mode)[\s\S]*fault +slack token +Couldn't verify SLACK_BOT_TOKEN/,
  },
  {
    kind: "both ways to receive requests",
    spoil: () => ({ SLACK_APP_TOKEN: SECRETS.appToken }),
    doctor: /warning +settings +SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set/,
    start: /SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set/,
  },
  {
    kind: "admins whom Slack doesn't know as people",
    spoil: () => ({ ADMIN_USERS: "U0NOBODY01,USLACKBOT" }),
    doctor: /warning +admins +ADMIN_USERS lists U0NOBODY01, USLACKBOT, whom Slack doesn't know/,
  },
  {
    kind: "a data folder that isn't writable, beside a Redis",
    spoil: () => ({ DATA_DIR: "/dev/null/data" }),
    doctor: /fault +data folder +DATA_DIR isn't writable/,
    start: /DATA_DIR isn't writable/,
  },
  {
    kind: "a port of another program",
    spoil: ({ port }) => ({ PORT: port }),
    doctor: /fault +port +Port \d+ is in use by another program/,
    start: /Port \d+ is already in use\. Set PORT to a free one/,
  },
  {
    kind: "an address of another machine",
    spoil: () => ({ BIND_ADDRESS: "192.0.2.1" }),
    doctor: /fault +port +BIND_ADDRESS isn't an address of this machine/,
    start: /BIND_ADDRESS isn't an address of this machine/,
  },
  {
    kind: "a plan that isn't paid",
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.unpaid }),
    doctor: /fault +service +The documentation service demands a payment/,
    start: /demands a payment/,
  },
]
