import querystring from "node:querystring"
import { z } from "zod"
import { DAY_MS } from "../lib/time.ts"

export type Env = Readonly<Record<string, string | undefined>>

/** A channel's ID. Direct messages, whose IDs begin with D, cannot be listed. */
export const channelId = z.string().regex(/^[CG][A-Z0-9]+$/, {
  error:
    "must list channel IDs like C012ABCDEF (at the bottom of a channel's details), separated by commas",
})
const memberId = z.string().regex(/^[UW][A-Z0-9]+$/, {
  error: "must list member IDs like U012ABCDEF (profile → ⋮ → Copy member ID), separated by commas",
})
const list = z.string().transform((text) => text.split(",").flatMap((part) => part.trim() || []))
const listOf = (id: typeof memberId) =>
  list
    .default([])
    .pipe(z.array(id))
    .transform((ids) => new Set(ids))

const URL_ERROR = "must be an http(s) URL, without ?, # or user"
/** Base of an API. Each request appends its path, and the HTTP client takes no password from it. */
const url = z
  .url({ protocol: /^https?$/, error: URL_ERROR })
  .regex(/^\w+:\/\/[^/?#@]+(\/[^?#]*)?$/, { error: URL_ERROR })
/** Parses digits only, because `Number` reads a blank as 0, and port 0 means any free port. */
const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\s*\d+\s*$/, { error })
    .transform(Number)
    .refine((n) => n >= min && n <= max, { error })
}
/**
 * Credential without line breaks and quotes: one left from a secrets file or by `docker --env-file`
 * would otherwise surface only as an invalid header or a refusal.
 */
export const credential = z.string().regex(/^(?!["'])[!-~]+$/, {
  error: "can't contain spaces, line breaks, quotes or characters outside ASCII",
  abort: true,
})
const token = (prefix: string) =>
  credential.startsWith(prefix, { error: `must start with ${prefix}` })
const PATH_ERROR =
  "must start with / and contain {jobId}, without spaces and #; the only other placeholder is {projectId}"
const PATH = /^\/(?=.*\{jobId\})(?:[!"$-z|~]|\{(?:jobId|projectId)\})*$/
/** ID of a project; not a key, because metrics and the log show the ID. */
export const projectId = z
  .string()
  .regex(/^\S+$/, { error: "can't be empty or contain spaces" })
  .regex(/^(?!svc_)/, { error: "looks like an API key; check whether it and the key are swapped" })
/** The client would end the process at an escape that isn't UTF-8, or a database by name. */
const isRedisUrl = (text: string) =>
  /^rediss?:\/\/([^%/?#]|%[\da-f]{2})*(\/\d*)?(\?.*)?$/i.test(text) &&
  URL.canParse(text) &&
  !querystring.unescape(text).includes("\ufffd")
const redisAddresses = list.refine(
  ([first = "", ...others]) => {
    if (others.length > 0) return [first, ...others].every(isRedisUrl)
    const path = first.replace(/^unix:(\/\/)?/, "")
    return isRedisUrl(first) || (path.includes("/") && !path.includes("://"))
  },
  {
    error:
      "must be redis://host:6379, rediss://… or the path of a Unix socket; for a cluster, URLs separated by commas; in a password, write % as %25 and escape other characters as UTF-8",
  },
)
const ownAddress = z.union([z.ipv4(), z.ipv6(), z.literal("localhost")], {
  error: "must be an IP address of this machine, such as 127.0.0.1",
})
const flag = z.stringbool({ truthy: ["true"], falsy: ["false"], error: "must be true or false" })

/** Maximum of `START_DELAY_SECONDS`. The queue takes a longer wait for a clock that was set back. */
export const MAX_START_DELAY_SECONDS = 60

export const settings = z.object({
  SLACK_BOT_TOKEN: token("xoxb-"),
  SLACK_SIGNING_SECRET: credential
    .regex(/^(?!xox|xapp-)/, { error: "is a token, not the signing secret" })
    .optional(),
  SLACK_APP_TOKEN: token("xapp-").optional(),
  SLACK_API_URL: url.default("https://slack.com/api/"),
  DOCS_API_URL: url.refine((base) => !/\/v\d+\/*$/.test(base), {
    error: "can't end with a version (/v1, /v2); Docs Agent adds it",
  }),
  DOCS_API_KEY: credential.optional(),
  DOCS_PROJECT_ID: projectId.optional(),
  DOCS_PROJECTS: z.string().min(1).optional(),
  DOCS_JOB_PATH: z
    .string()
    .regex(PATH, { error: PATH_ERROR })
    .default("/v2/agent/{projectId}/job/{jobId}"),
  DOCS_MESSAGE_PATH: z
    .string()
    .regex(new RegExp(`^off$|${PATH.source}`), { error: `must be off, or ${PATH_ERROR}` })
    .default("/v2/agent/{projectId}/job/{jobId}/message"),
  DOCS_TIMEOUT_MS: whole(100, 300_000).default(15_000),
  GITHUB_TOKEN: credential.optional(),
  GITHUB_API_URL: url.default("https://api.github.com"),
  PR_REMINDER_DAYS: whole(0, 30).default(3),
  PR_ORIGIN: z
    .enum(["link", "name", "off"], { error: "must be link, name or off" })
    .default("link"),
  REDIS_URL: redisAddresses.optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  PORT: whole(0, 65_535).default(3000),
  BIND_ADDRESS: ownAddress.optional(),
  JOBS_PER_HOUR: whole(1, 99).default(99),
  JOBS_PER_MONTH: whole(0, 100_000).default(0),
  RESERVED_SLOTS: whole(0, 98).default(5),
  MAX_QUEUED_PER_USER: whole(1, 10_000).default(50),
  ANALYTICS_PER_HOUR: whole(1, 100_000).default(100),
  START_DELAY_SECONDS: whole(0, MAX_START_DELAY_SECONDS).default(5),
  POLL_MIN_MS: whole(50, DAY_MS).default(5000),
  POLL_MAX_MS: whole(50, DAY_MS).default(60_000),
  JOB_TIMEOUT_MINUTES: whole(1, 43_200).default(1440),
  ALLOWED_CHANNELS: listOf(channelId),
  ALLOWED_USERS: listOf(memberId),
  ADMIN_USERS: listOf(memberId),
  ALLOW_EXTERNAL_USERS: flag.default(false),
  AUDIT_DAYS: whole(0, 3650).default(90),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"], { error: "must be debug, info, warn or error" })
    .default("info"),
})

export type Settings = z.output<typeof settings>

/** Prefixes that mark a misspelled setting. Not `GITHUB_`: GitHub Actions sets many of those. */
const OURS =
  /^(ADMIN|ALLOW(ED)?|ANALYTICS|AUDIT|BIND|DOCS|JOBS|JOB_TIMEOUT|MAX_QUEUED|POLL|PR_(ORIGIN|REMINDER)|RESERVED|SLACK|START_DELAY)_|^(GITHUB_(API|TOK)|LOG_LEV|REDIS_UR)/
/** Variables that Kubernetes sets for every service, such as `DOCS_AGENT_PORT_80_TCP`. */
const KUBERNETES = /_(SERVICE_|PORT$|PORT_)/

/** Describes each setting that the bot ignores, because it does not know the name. */
export function unknownSettings(env: Env): string[] {
  return Object.keys(env)
    .filter((name) => OURS.test(name) && !KUBERNETES.test(name) && !(name in settings.shape))
    .map((name) => `${name} isn't a known setting`)
}

/** Variables of a proxy, which every client here reads. */
const PROXIES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"]

/** Describes the faults of settings that only others show, and of variables that the clients read. */
export function crossFaults(env: Env): string[] {
  // Returns NaN for an invalid setting, so that every comparison with it is false.
  const read = (name: "POLL_MIN_MS" | "POLL_MAX_MS" | "JOBS_PER_HOUR" | "RESERVED_SLOTS") =>
    Number(settings.shape[name].safeParse(env[name]).data)
  const faults: string[] = []
  if (env.SLACK_SIGNING_SECRET === undefined && env.SLACK_APP_TOKEN === undefined)
    faults.push("SLACK_SIGNING_SECRET (HTTP) or SLACK_APP_TOKEN (Socket Mode) is required")
  for (const name of PROXIES)
    if (env[name] !== undefined && !/^https?:\/\/[^\s/]/i.test(env[name]))
      faults.push(`${name} must be a URL with http:// or https://, such as http://proxy:3128`)
  if (read("POLL_MIN_MS") > read("POLL_MAX_MS"))
    faults.push("POLL_MIN_MS can't be larger than POLL_MAX_MS")
  if (env.RESERVED_SLOTS && read("RESERVED_SLOTS") >= read("JOBS_PER_HOUR"))
    faults.push("RESERVED_SLOTS must be smaller than JOBS_PER_HOUR")
  return faults
}
