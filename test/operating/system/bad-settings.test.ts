import { expect, test } from "vitest"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { launch } from "../../helpers/process.ts"
import {
  BY_SOCKET,
  OTHER_KEY,
  type Spoil,
  useWorld,
  type World,
  wrongWith,
} from "../../helpers/world-of-settings.ts"
import { CLEO } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

interface Bad {
  spoil: Spoil
  /** Finding of the doctor, with its remedy. */
  doctor: RegExp
  /** Output of a start, if that says it otherwise than the doctor. */
  start?: RegExp
}

/** Returns the settings of a bot that starts a redis-server of its own. */
const ownServer = ({ serverFolder }: World) => ({ REDIS_URL: "", PATH: serverFolder })

/** Set-ups that somebody got wrong, by kind. `config.test.ts` has the values of settings. */
const BAD_SETTINGS: Readonly<Record<string, Bad>> = {
  "no Redis there": {
    spoil: () => ({ REDIS_URL: "redis://127.0.0.1:1" }),
    doctor: /fault redis: Redis isn't responding \(.*ECONNREFUSED.* → Start Redis, or correct/,
  },
  "another server instead of Redis": {
    spoil: ({ elsewhere }) => ({ REDIS_URL: elsewhere.page.replace("http:", "redis:") }),
    doctor: /fault redis: The server in REDIS_URL isn't Redis → .*correct the address/,
  },
  "no host of Redis's name": {
    spoil: () => ({ REDIS_URL: "redis://redis.invalid:6379" }),
    doctor: /fault redis: .* → Correct the host in REDIS_URL, or check DNS/,
  },
  "a Redis without TLS": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.late.replace("redis:", "rediss:") }),
    doctor: /fault redis: Redis isn't responding .* → .* whether it needs rediss:\/\//,
  },
  "a Redis with a password": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.locked }),
    doctor: /fault redis: Redis rejected the user.* → Correct the user and password in/,
  },
  "an old Redis": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.old }),
    doctor: /fault redis: Redis 5\.0\.14 is too old → Install Redis 6\.2/,
  },
  "a Redis without room": {
    spoil: ({ redis }) => ({ REDIS_URL: redis.full }),
    doctor: /fault redis: Redis is out of memory.* → .*REDIS_URL/,
  },
  "no Redis anywhere": {
    spoil: ({ folder }) => ({ REDIS_URL: "", PATH: folder, DATA_DIR: folder }),
    doctor: /fault redis: No Redis: REDIS_URL isn't set and .* → Set REDIS_URL, or install redis-/,
  },
  "no folder for a Redis of its own": {
    spoil: (world) => ({ ...ownServer(world), DATA_DIR: "/dev/null/data" }),
    doctor: /fault redis: Docs Agent's own redis-server can't keep .* → Set DATA_DIR/,
  },
  "a folder too long for a Redis of its own": {
    spoil: (world) => ({ ...ownServer(world), DATA_DIR: "a".repeat(100) }),
    doctor: /fault redis: DATA_DIR is too long .* → Set a shorter DATA_DIR/,
  },
  "a bot token of nobody": {
    spoil: () => ({ SLACK_BOT_TOKEN: "xoxb-wrong" }),
    doctor:
      /fault slack token: Slack rejected SLACK_BOT_TOKEN \(invalid_auth\) → Copy the Bot User/,
    start: /Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)\. Copy the Bot User OAuth Token/,
  },
  "an app token of nobody": {
    spoil: () => ({ ...BY_SOCKET, SLACK_APP_TOKEN: "xapp-wrong" }),
    doctor: /fault slack requests: Slack rejected SLACK_APP_TOKEN .* → Create an app-level token/,
  },
  "a permission that is missing": {
    spoil: ({ parties }) => {
      parties.slack.setScopes(Object.keys(SCOPES).filter((scope) => scope !== "users:read"))
      return {}
    },
    doctor:
      /fault slack permissions: The token lacks users:read \(to recognize guests.* → Print the manifest with "node dist\/main.js manifest --host/,
  },
  "Slack somewhere else": {
    spoil: ({ elsewhere }) => ({ SLACK_API_URL: `${elsewhere.page}/` }),
    doctor: /fault slack token: Couldn't verify SLACK_BOT_TOKEN .* → Check SLACK_API_URL/,
    start: /Check SLACK_API_URL.*Slack isn't responding; retrying/,
  },
  "no host of Slack's name, by Socket Mode": {
    spoil: () => ({ ...BY_SOCKET, SLACK_API_URL: "http://slack.invalid/api/" }),
    doctor:
      /^(?!.*Turn on Socket Mode).*fault slack token: No address was found for the host of Slack \(E\w+\) → Correct the host in SLACK_API_URL/s,
  },
  "a project that there is not": {
    spoil: () => ({ DOCS_PROJECT_ID: "nope" }),
    doctor: /fault service: .* can't find the project in DOCS_PROJECT_ID .* → Copy the project ID/,
  },
  "key and project swapped": {
    spoil: ({ env }) => ({ DOCS_API_KEY: env.DOCS_PROJECT_ID, DOCS_PROJECT_ID: OTHER_KEY }),
    doctor: /fault service: DOCS_API_KEY was rejected .* → Create a new admin key/,
  },
  "a GitHub token of nobody": {
    spoil: () => ({ GITHUB_TOKEN: "ghp_wrong" }),
    doctor: /fault github: GitHub rejected GITHUB_TOKEN.* → Set a new GITHUB_TOKEN/,
  },
  "a proxy without a scheme": {
    spoil: () => ({ HTTPS_PROXY: "proxy.example:3128" }),
    doctor: /fault settings: HTTPS_PROXY must be a URL with http:\/\/.*SETTINGS\.md/,
    start: /HTTPS_PROXY must be a URL with http:\/\//,
  },
  "a setting that there is not, and both ways to receive requests": {
    spoil: () => ({ ADMIN_USER: CLEO, SLACK_APP_TOKEN: SECRETS.appToken }),
    doctor:
      /warning settings: ADMIN_USER isn't a known setting.*\nwarning settings: SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Docs Agent uses Socket Mode.*Remove SLACK_APP_TOKEN to receive requests over HTTP/,
    start:
      /ADMIN_USER isn't a known[\s\S]*SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Docs Agent uses Socket Mode/,
  },
  "a data folder that isn't writable, beside a Redis": {
    spoil: () => ({ DATA_DIR: "/dev/null/data" }),
    doctor: /fault data folder: DATA_DIR isn't writable/,
    start: /DATA_DIR isn't writable/,
  },
  "a port of another program": {
    spoil: ({ elsewhere }) => ({ PORT: new URL(elsewhere.silent).port }),
    doctor: /fault port: Port \d+ is already in use/,
  },
  "an address of another machine": {
    spoil: () => ({ BIND_ADDRESS: "192.0.2.1" }),
    doctor: /fault port: BIND_ADDRESS isn't an address of this machine/,
  },
}

const envWith = useWorld()

/** Returns how a sentence begins: the details differ from one moment to the next. */
const begin = (sentence = "") => sentence.split(/ \(|[.:]( |$)/)[0]?.toLowerCase()

test.each(Object.entries(BAD_SETTINGS))(
  "%s: the doctor and a start name the fault and the way out, in the same words if nothing else is said",
  async (_, { spoil, doctor, start }) => {
    const { lines, fault } = await wrongWith(envWith(spoil))
    expect(lines).toMatch(doctor)
    const bot = launch(["all"], envWith(spoil))
    const said = () => bot.output.replaceAll('\\"', '"')
    if (start) await expect.poll(said).toMatch(start)
    else
      for (const words of [fault?.says, fault?.next])
        await expect.poll(() => said().toLowerCase()).toContain(begin(words))
    await bot.kill("SIGKILL")
  },
)
