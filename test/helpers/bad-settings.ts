import { SCOPES } from "../../src/slack/scopes.ts"
import { CLEO, GUS } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"
import { type BadSettings, OTHER_KEY, type World } from "./world-of-settings.ts"

/** Settings of a bot that Slack's requests reach by Socket Mode alone. */
const BY_SOCKET = { SLACK_APP_TOKEN: SECRETS.appToken, SLACK_SIGNING_SECRET: "" }

/** Returns the settings of a bot that starts a redis-server of its own. */
const ownServer = ({ serverFolder }: World) => ({ REDIS_URL: "", PATH: serverFolder })

/** Set-ups that somebody got wrong, by kind. `config.test.ts` has the values of settings. */
export const BAD_SETTINGS: Readonly<Record<string, BadSettings>> = {
  "no Redis there": {
    spoil: () => ({ REDIS_URL: "redis://127.0.0.1:1" }),
    doctor: /fault +redis +Redis isn't responding \(.*ECONNREFUSED.*\n +→ Start Redis, or correct/,
  },
  "another server instead of Redis": {
    spoil: ({ elsewhere }) => ({ REDIS_URL: elsewhere.page.replace("http:", "redis:") }),
    doctor: /fault +redis +The server in REDIS_URL isn't Redis\n +→ .*correct the address/,
  },
  "no host of Redis's name": {
    spoil: () => ({ REDIS_URL: "redis://redis.invalid:6379" }),
    doctor: /fault +redis .*\n +→ Correct the host in REDIS_URL, or check DNS/,
  },
  "a Redis without TLS": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.late.replace("redis:", "rediss:") }),
    doctor: /fault +redis +Redis isn't responding .*\n +→ .* whether it needs rediss:\/\//,
  },
  "a Redis with a password": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.locked }),
    doctor: /fault +redis +Redis rejected the user.*\n +→ Correct the user and password in/,
  },
  "an old Redis": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.old }),
    doctor: /fault +redis +Redis 5\.0\.14 is too old\n +→ Install Redis 6\.2/,
  },
  "a Redis without room": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.full }),
    doctor: /fault +redis +Redis is out of memory.*\n +→ .*REDIS_URL/,
  },
  "a Redis whose clock is off": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.late }),
    doctor:
      /fault +clock +Redis's clock is 1\d\d\.\d s behind .*\n +→ Turn on time synchronization/,
    start: false,
  },
  "no Redis anywhere": {
    spoil: ({ folder }) => ({ REDIS_URL: "", PATH: folder, DATA_DIR: folder }),
    doctor:
      /fault +redis +No Redis: REDIS_URL isn't set and .*\n +→ Set REDIS_URL, or install redis-server/,
  },
  "no folder for a Redis of its own": {
    spoil: (world) => ({ ...ownServer(world), DATA_DIR: "/dev/null/data" }),
    doctor: /fault +redis +Docs Agent's own redis-server can't keep .*\n +→ Set DATA_DIR/,
  },
  "a folder too long for a Redis of its own": {
    spoil: (world) => ({ ...ownServer(world), DATA_DIR: "a".repeat(100) }),
    doctor: /fault +redis +DATA_DIR is too long .*\n +→ Set a shorter DATA_DIR/,
  },
  "a bot token of nobody": {
    spoil: () => ({ SLACK_BOT_TOKEN: "xoxb-wrong" }),
    doctor:
      /fault +slack token +Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)\n +→ Copy the Bot User OAuth Token/,
    start: /Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)\. Copy the Bot User OAuth Token/,
  },
  "an app token of nobody": {
    spoil: () => ({ ...BY_SOCKET, SLACK_APP_TOKEN: "xapp-wrong" }),
    doctor:
      /fault +slack requests +Slack rejected SLACK_APP_TOKEN .*\n +→ Create an app-level token/,
  },
  "an app token that may open no connection": {
    spoil: ({ parties }) => {
      const method = "apps.connections.open"
      parties.slack.fail({ kind: "error", error: "missing_scope", method, times: 1 })
      return BY_SOCKET
    },
    doctor:
      /fault +slack requests +Slack rejected SLACK_APP_TOKEN .*\n +→ Create an app-level token/,
    start: false,
  },
  "a Slack that is asked too often": {
    spoil: ({ parties }) => {
      parties.slack.fail({ kind: "rate_limited", method: "auth.test", times: 1 })
      return {}
    },
    doctor: /fault +slack token +.*\(ratelimited\)\n +→ Run the doctor again in a minute/,
    start: false,
  },
  "a permission that is missing": {
    spoil: ({ parties }) => {
      parties.slack.setScopes(Object.keys(SCOPES).filter((scope) => scope !== "users:read"))
      return {}
    },
    doctor:
      /fault +slack permissions +The token lacks users:read \(to recognize guests.*\n +→ Print the manifest with "node dist\/main.js manifest --host/,
  },
  "Slack somewhere else": {
    spoil: ({ elsewhere }) => ({ SLACK_API_URL: `${elsewhere.page}/` }),
    doctor: /fault +slack token +Couldn't verify SLACK_BOT_TOKEN .*\n +→ Check SLACK_API_URL/,
    start: /Check SLACK_API_URL.*Slack isn't responding; retrying/,
  },
  "a project that there is not": {
    spoil: () => ({ DOCS_PROJECT_ID: "nope" }),
    doctor:
      /fault +service +The documentation service can't find the project in DOCS_PROJECT_ID .*\n +→ Copy the project ID/,
  },
  "key and project swapped": {
    spoil: ({ env }) => ({ DOCS_API_KEY: env.DOCS_PROJECT_ID, DOCS_PROJECT_ID: OTHER_KEY }),
    doctor:
      /^(?!.*admin-0a1b2c3d4e)[\s\S]*fault +service +DOCS_API_KEY was rejected .*\n +→ Create a new admin key/,
  },
  "no service there": {
    spoil: () => ({ DOCS_API_URL: "http://127.0.0.1:1" }),
    doctor:
      /fault +service +The documentation service isn't responding: ECONNREFUSED\n +→ Check DOCS_API_URL/,
    start: false,
  },
  "a service without TLS": {
    spoil: ({ env }) => ({ DOCS_API_URL: env.DOCS_API_URL?.replace("http:", "https:") }),
    doctor:
      /fault +service +Couldn't connect to the documentation service over TLS \(ERR_SSL\w+\)\n +→ .*NODE_EXTRA_CA_CERTS/,
    start: false,
  },
  "a service that says nothing": {
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.silent }),
    doctor: /fault +service +The documentation service isn't responding.*\n +→ Check DOCS_API_URL/,
    start: false,
  },
  "an address that redirects": {
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.redirect }),
    doctor: /fault +service +DOCS_API_URL redirects to another address \(301\)\n +→ .*https:\/\//,
    start: false,
  },
  "an address of another site": {
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.page }),
    doctor:
      /fault +service +DOCS_API_URL doesn't point to the documentation service.*\n +→ Check DOCS_API_URL/,
    start: false,
  },
  "a GitHub token of nobody": {
    spoil: () => ({ GITHUB_TOKEN: "ghp_wrong" }),
    doctor: /fault +github +GitHub rejected GITHUB_TOKEN.*\n +→ Set a new GITHUB_TOKEN/,
  },
  "GitHub at any server": {
    spoil: ({ elsewhere }) => ({ GITHUB_API_URL: elsewhere.page }),
    doctor:
      /fault +github +GITHUB_API_URL doesn't point to the GitHub API\n +→ Check GITHUB_API_URL/,
    start: false,
  },
  "a proxy without a scheme": {
    spoil: () => ({ HTTPS_PROXY: "proxy.example:3128" }),
    doctor: /fault +settings +HTTPS_PROXY must be a URL with http:\/\/[\s\S]*SETTINGS\.md/,
    start: /HTTPS_PROXY must be a URL with http:\/\//,
  },
  "no host of Slack's name, by Socket Mode": {
    spoil: () => ({ ...BY_SOCKET, SLACK_API_URL: "http://slack.invalid/api/" }),
    doctor:
      /^(?!.*Turn on Socket Mode)[\s\S]*fault +slack token +No address was found for the host of Slack \(E\w+\)\n +→ Correct the host in SLACK_API_URL/,
  },
  "no Slack there, by Socket Mode": {
    spoil: () => ({ ...BY_SOCKET, SLACK_API_URL: "http://127.0.0.1:1/api/" }),
    doctor: /^(?!.*Turn on Socket Mode)[\s\S]*fault +slack token +Couldn't verify SLACK_BOT_TOKEN/,
    start: false,
  },
  "a setting that there is not, and both ways to receive requests": {
    spoil: () => ({ ADMIN_USER: CLEO, SLACK_APP_TOKEN: SECRETS.appToken }),
    doctor:
      /warning +settings +ADMIN_USER isn't a known setting[\s\S]*warning +settings +SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Docs Agent uses Socket Mode[\s\S]*Remove SLACK_APP_TOKEN to receive requests over HTTP/,
    start:
      /ADMIN_USER isn't a known[\s\S]*SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Docs Agent uses Socket Mode/,
  },
  "admins whom Slack doesn't know as members": {
    spoil: () => ({ ADMIN_USERS: `U0NOBODY01,USLACKBOT,${GUS}` }),
    doctor: new RegExp(`warning +admins +ADMIN_USERS lists U0NOBODY01, USLACKBOT, ${GUS}, whom`),
    start: false,
  },
  "a data folder that isn't writable, beside a Redis": {
    spoil: () => ({ DATA_DIR: "/dev/null/data" }),
    doctor: /fault +data folder +DATA_DIR isn't writable/,
    start: /DATA_DIR isn't writable/,
  },
  "a port of another program": {
    spoil: ({ port }) => ({ PORT: port }),
    doctor: /fault +port +Port \d+ is already in use/,
  },
  "an address of another machine": {
    spoil: () => ({ BIND_ADDRESS: "192.0.2.1" }),
    doctor: /fault +port +BIND_ADDRESS isn't an address of this machine/,
  },
  "a plan that isn't paid": {
    spoil: ({ elsewhere }) => ({ DOCS_API_URL: elsewhere.unpaid }),
    doctor: /fault +service +The documentation service demands a payment/,
    start: false,
  },
}
