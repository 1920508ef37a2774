import { describe, expect, test } from "vitest"
import { type Facts, judge } from "../../src/doctor/examine.ts"
import { isWell } from "../../src/doctor/finding.ts"
import { judgeIntake } from "../../src/doctor/intake.ts"
import type { SlackFacts } from "../../src/doctor/slack.ts"
import type { StoreFacts } from "../../src/doctor/store.ts"
import type { SurfaceState } from "../../src/sessions/ports.ts"
import { SCOPES } from "../../src/slack/scopes.ts"

const NOW = Date.UTC(2026, 10, 20, 12)
const MINUTE = 60_000

const store: StoreFacts = {
  state: "answers",
  embedded: false,
  servers: [{ version: "7.0.15", appendOnly: true, evictionPolicy: "noeviction" }],
  skewMs: 3,
}
const slack: SlackFacts = {
  token: { team: "T1", bot: "U1" },
  scopes: Object.keys(SCOPES),
  intake: { mode: "http", lastSeen: { now: NOW, signed: NOW - 3 * MINUTE } },
  admins: [{ user: "UADMIN", standing: "member" }],
  channels: [{ channel: "CDOCS", setting: "ALLOWED_CHANNELS" }],
  blocks: { accepted: 39, refused: [] },
}
const well: Facts = {
  node: "24.1.0",
  environment: [],
  store,
  slack,
  service: [{ project: "docs" }],
}

/** The lines that are not ok, as `level check: says`. */
function wrong(facts: Partial<Facts>): string[] {
  return judge({ ...well, ...facts })
    .filter(({ level }) => level !== "ok")
    .map(({ level, check, says }) => `${level} ${check}: ${says}`)
}

test("a well bot has a line for each check, and nothing to mend", () => {
  const findings = judge(well)
  expect(findings.map(({ check }) => check)).toEqual([
    "node",
    "environment",
    "redis",
    "redis data",
    "redis clock",
    "slack token",
    "slack scopes",
    "slack options",
    "slack blocks",
    "slack intake",
    "slack agent",
    "admins",
    "channels",
    "service key",
    "project",
  ])
  expect(wrong({})).toEqual([])
  expect(isWell(findings)).toBe(true)
})

test("every warning and fault says what to do next", () => {
  const findings = [
    ...judge({ node: "18.0.0", environment: ["PORT must be at least 0"] }),
    ...judge({ ...well, store: { state: "missing" }, slack: { ...slack, admins: [] } }),
    ...judge({ ...well, store: { state: "away", reason: "connect ECONNREFUSED" } }),
  ]
  for (const { level, next } of findings) expect(Boolean(next)).toBe(level !== "ok")
})

test.each<[string, Partial<Facts>, string, RegExp]>([
  ["a wrong password", { store: { state: "away", reason: "WRONGPASS" } }, "redis", /password/],
  [
    "a database that there is not",
    { store: { state: "away", reason: "ERR DB index is out of range" } },
    "redis",
    /number at the end of REDIS_URL/,
  ],
  [
    "TLS against a Redis without",
    { store: { state: "away", reason: "Command timed out" } },
    "redis",
    /rediss:\/\//,
  ],
  [
    "an admin whom no scope lets it see",
    { slack: { ...slack, admins: [{ user: "UADA", standing: { code: "missing_scope" } }] } },
    "admins",
    /^Fix the scopes first/,
  ],
])("%s: the next step is the one that helps", (_, change, check, next) => {
  const findings = judge({ ...well, ...change })
  expect(findings.find((finding) => finding.check === check)?.next).toMatch(next)
})

test.each<[string, SurfaceState, RegExp]>([
  ["on", { state: "on", since: NOW, hasStop: true }, /^Agent sessions are on, .* Stop button/],
  [
    "off",
    { state: "off", code: "not_authorized", since: NOW, until: NOW + 86_400_000 },
    /^Agent sessions are off: .*\(not_authorized\)\. The bot tries again after \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
  ],
  ["unknown", { state: "unknown" }, /^Agent sessions: not known yet/],
])("whether Slack's place for agents is %s is told, and no fault", (_, surface, says) => {
  const line = judge({ ...well, slack: { ...slack, surface } }).find(
    ({ check }) => check === "slack agent",
  )
  expect(line?.says).toMatch(says)
  expect(line?.level).toBe("ok")
})

describe("what is found wrong", () => {
  const redis = (change: Partial<Extract<StoreFacts, { state: "answers" }>>) => ({
    store: { ...store, ...change } as StoreFacts,
  })
  const server = { version: "7.0.15", appendOnly: true, evictionPolicy: "noeviction" }

  test.each<[string, Partial<Facts>, RegExp[]]>([
    [
      "an agent that hears of no Stop",
      { slack: { ...slack, surface: { state: "on", since: NOW, hasStop: false } } },
      [/^warning slack agent: .*without Slack's Stop button/],
    ],
    ["Node too old", { node: "20.18.3" }, [/^fault node: .*too old/]],
    ["Node without fixes", { node: "20.19.0" }, [/^warning node/]],
    ["no Redis at all", { store: { state: "missing" } }, [/^fault redis: There's no Redis/]],
    ["no REDIS_URL", { store: { state: "not_started" } }, [/^warning redis: REDIS_URL isn't set/]],
    ["our own Redis", redis({ embedded: true }), [/^warning redis: .*the bot's own/]],
    [
      "an old Redis",
      redis({ servers: [{ ...server, version: "5.0.7" }] }),
      [/^fault redis: Redis 5.0.7 is too old/],
    ],
    [
      "AOF off and eviction on one node of a cluster",
      redis({
        servers: [server, { ...server, appendOnly: false, evictionPolicy: "allkeys-lru" }],
      }),
      [/^warning redis data: .*no append-only file/, /^warning redis data: .*allkeys-lru/],
    ],
    [
      "a host that hides it",
      redis({ servers: [{ version: "7.2" }] }),
      [/^warning redis data: Redis doesn't say/],
    ],
    ["a clock 4 s ahead", redis({ skewMs: 4000 }), [/^warning redis clock: .*4.0 s ahead/]],
    ["a clock 2 min behind", redis({ skewMs: -120_000 }), [/^fault redis clock: .*behind/]],
    [
      "a refused token",
      { slack: { token: { code: "invalid_auth" }, intake: slack.intake } },
      [/^fault slack token: Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)/],
    ],
    [
      "Slack out of reach",
      { slack: { token: { code: "unreachable" }, intake: slack.intake } },
      [/^fault slack token: Slack didn't say/],
    ],
    [
      "a missing scope",
      { slack: { ...slack, scopes: Object.keys(SCOPES).filter((s) => s !== "files:write") } },
      [/^fault slack scopes: The token lacks files:write/],
    ],
    ["scopes untold", { slack: { ...slack, scopes: [] } }, [/^warning slack scopes/]],
    [
      "Socket Mode without a connection",
      { slack: { ...slack, intake: { mode: "socket", code: "not_allowed_token_type" } } },
      [/^fault slack intake: .*not_allowed_token_type/],
    ],
    [
      "never a word from Slack",
      { slack: { ...slack, intake: { mode: "http", lastSeen: { now: NOW } } } },
      [/^warning slack intake: .*hasn't reached the bot yet/],
    ],
    [
      "a wrong signing secret",
      {
        slack: {
          ...slack,
          intake: { mode: "http", lastSeen: { now: NOW, unsigned: NOW - MINUTE } },
        },
      },
      [/^warning slack intake: .*was not signed with SLACK_SIGNING_SECRET/],
    ],
    [
      "silence for a week",
      { slack: { ...slack, intake: { mode: "http", lastSeen: { now: NOW, signed: NOW - 7e8 } } } },
      [/^warning slack intake: HTTP: Slack last reached the bot 8 days ago/],
    ],
    ["no admin", { slack: { ...slack, admins: [] } }, [/^warning admins: ADMIN_USERS is empty/]],
    [
      "admins who are nobody",
      {
        slack: {
          ...slack,
          admins: [
            { user: "UGONE", standing: "not_a_person" },
            { user: "UTYPO", standing: { code: "user_not_found" } },
            { user: "ULATE", standing: { code: "slow" } },
          ],
        },
      },
      [
        /^fault admins: .*UGONE/,
        /^fault admins: .*UTYPO isn't in this workspace/,
        /^warning admins: .*ULATE/,
      ],
    ],
    [
      "channels without the bot",
      {
        slack: {
          ...slack,
          channels: [
            { channel: "CPUBLIC", setting: "DOCS_PROJECTS", code: "not_in_channel" },
            { channel: "CPRIVATE", setting: "ALLOWED_CHANNELS", code: "channel_not_found" },
            { channel: "CWELL", setting: "ALLOWED_CHANNELS" },
          ],
        },
      },
      [
        /^fault channels: DOCS_PROJECTS: the bot isn't in CPUBLIC/,
        /^fault channels: .*CPRIVATE doesn't exist/,
      ],
    ],
    [
      "an expired key",
      { service: [{ project: "docs", fault: { kind: "key_refused", status: 401 } }] },
      [/^fault service key: .*rejected DOCS_API_KEY \(401\)/],
    ],
    [
      "another project's key",
      {
        service: [{ project: "docs", fault: { kind: "forbidden", status: 403, detail: "scope" } }],
      },
      [/^fault service key: .*doesn't let DOCS_API_KEY read docs \(403\): scope/],
    ],
    [
      "one of several keys",
      {
        service: [{ project: "a" }, { project: "b", fault: { kind: "key_refused", status: 401 } }],
      },
      [/^fault service key: .*rejected the key of project b/],
    ],
    [
      "an unknown project",
      { service: [{ project: "docs", fault: { kind: "not_found", status: 404 } }] },
      [/^fault project: .*doesn't know project docs/],
    ],
    [
      "the hour of analytics spent",
      { service: [{ project: "docs", fault: { kind: "rate_limited", status: 429 } }] },
      [/^warning service key: .*wasn't checked/],
    ],
    [
      "an address that is something else",
      { service: [{ project: "docs", fault: { kind: "broken_body", detail: "not JSON" } }] },
      [/^fault service key: What answers at DOCS_API_URL isn't/],
    ],
    [
      "a queue that waits for a person",
      { service: [{ project: "docs", pause: { reason: "key_refused", since: NOW } }] },
      [/^warning queue: .*has been paused since 2026-11-20 12:00 UTC \(key_refused\)/],
    ],
  ])("%s", (_, facts, lines) => {
    const found = wrong(facts)
    expect(found).toHaveLength(lines.length)
    for (const [i, line] of lines.entries()) expect(found[i]).toMatch(line)
    expect(isWell(judge({ ...well, ...facts }))).toBe(
      !found.some((line) => line.startsWith("fault")),
    )
  })
})

test("every fault of the environment is a line of its own, and nothing else is looked at", () => {
  const faults = ["SLACK_BOT_TOKEN is required", "PORT must be at most 65535"]
  const findings = judge({ node: "24.1.0", environment: faults })
  expect(findings.filter(({ level }) => level === "fault").map(({ says }) => says)).toEqual(faults)
  expect(findings).toHaveLength(3)
})

test("a bot that listens on one address says so where Slack has not come through yet", () => {
  const intake = { mode: "http", bindAddress: "::1", lastSeen: { now: NOW } } as const
  expect(judgeIntake(intake)).toMatchObject({
    next: expect.stringContaining("BIND_ADDRESS is ::1"),
  })
})

describe("a kind of message that Slack refuses", () => {
  const errors = ["/blocks/0/type unsupported_type"]
  const judged = (hasFallback: boolean) =>
    wrong({
      slack: { ...slack, blocks: { accepted: 38, refused: [{ kind: "x", hasFallback, errors }] } },
    })

  test.each([
    ["fault", false],
    ["warning", true],
  ])("is a %s where a simpler one takes its place: %s", (level, hasFallback) => {
    expect(judged(hasFallback)).toEqual([
      `${level} slack blocks: Slack accepts 38 of 39 kinds of message; x: /blocks/0/type unsupported_type`,
    ])
  })
})

// "chat:write.public: Send messages to channels your Slack app isn't a member of": public ones alone.
describe("a channel of the settings that the bot isn't in", () => {
  const channels = [
    { channel: "CDOCS", setting: "ALLOWED_CHANNELS", code: "not_in_channel" },
  ] as const
  const judged = (scopes: readonly string[]) =>
    judge({ ...well, slack: { ...slack, channels, scopes } }).filter(
      ({ check }) => check === "channels",
    )
  const required = Object.keys(SCOPES)

  test("is a fault, and the next step is the invitation", () => {
    expect(judged(required)).toMatchObject([
      { level: "fault", next: expect.stringContaining("/invite") },
    ])
  })

  test("is none where the bot may post in public channels, and what it can't hear there is said", () => {
    expect(judged([...required, "chat:write.public"])).toMatchObject([
      { level: "ok", says: expect.stringMatching(/can post there.*invite it.*mentions/) },
    ])
  })
})
