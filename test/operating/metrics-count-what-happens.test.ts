import { describe, expect, vi } from "vitest"
import { z } from "zod"
import { jobKeys, queueKeys } from "../../src/jobs/job-keys.ts"
import { useAnswered } from "../helpers/answered.ts"
import { askUntil } from "../helpers/asked.ts"
import { findingsOf, metricsOf } from "../helpers/of-itself.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"
import { eventsUrl, type TestBed } from "../sandbox/test-bed.ts"

const { test, testBed, answered } = useAnswered()

/** Reads the samples of one scrape: values by `name{labels}` without the bot's prefix. */
async function scrape({ bot }: Pick<TestBed, "bot">): Promise<Map<string, number>> {
  const samples = (await metricsOf(bot)).matchAll(/^docs_agent_(.+) (\S+)$/gm)
  return new Map([...samples].map(([, name = "", value]) => [name, Number(value)]))
}

test("a follow-up that is cancelled in the queue ends no job once more", async () => {
  const { h, say } = await answered({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
  await say("the first one")
  await h.botSays(/Updated/)
  await say("the second one")
  await h.botSays(/next in line/)
  await say("cancel")
  await h.botSays(/requested a docs change[\s\S]*Pull request/)
  const samples = await scrape(h)
  expect(samples.get('jobs_ended_total{ending="pull_request"}')).toBe(2)
})

test("a paused queue shows who waits, how long since they last asked, and why", async (h) => {
  h.docs.fail({ type: "expired_key", kind: "create" })
  await askUntil(h, "wait for a key here", /replaces the API key/)

  const samples = await scrape(h)

  expect(samples.get('queue_waiting{project="docs"}')).toBe(1)
  expect(samples.get('queue_oldest_seconds{project="docs"}')).toBeGreaterThan(0)
  expect(samples.get('queue_paused{project="docs",reason="key_refused"}')).toBe(1)
  const refused = 'service_calls_total{operation="create_job",outcome="key_refused"}'
  expect(samples.get(refused)).toBe(1)

  const { store, settings } = h.services.front
  const { wait } = queueKeys(settings.projects.keys[0] ?? "")
  const [id = ""] = await store.redis.zrange(wait, "0", "0")
  const origin = { retryBy: ADA, at: Date.now() }
  const again = { at: Date.now() - 3 * 86_400_000, origin: JSON.stringify(origin) }
  await store.redis.hset(jobKeys.record(id), again)
  const oldest = (await scrape(h)).get('queue_oldest_seconds{project="docs"}')
  expect(oldest).toBeLessThan(60)
})

describe("what comes from outside does not grow the metrics", () => {
  test("odd statuses are counted by what they mean, and codes that nobody knows as others", async (h) => {
    h.docs.fail({ type: "status", status: 418, kind: "create", times: 1 })
    h.slack.fail({ kind: "error", error: "a_code_of_tomorrow", method: "chat.update", times: 1 })
    await askUntil(h, "some odd answers, that is", /Rejected by/)
    await h.slack.until((s) => s.calls.some(({ error }) => error === "fault: error"))
    const samples = await scrape(h)
    const refused = 'service_calls_total{operation="create_job",outcome="bad_request"}'
    expect(samples.get(refused)).toBe(1)
    expect(samples.get('slack_calls_total{method="chat.update",outcome="other"}')).toBe(1)
  })

  test("requests that Slack did not sign are counted, told ever more rarely, and named by the doctor", async () => {
    const h = await testBed({ env: { LOG_LEVEL: "warn" } })
    const bySomebodyElse = { "x-slack-signature": "v0=00", "x-slack-request-timestamp": "1" }
    const body = '{"type":"event_callback","event":{"type":"evil"}}'
    for (const headers of [{}, bySomebodyElse, {}, bySomebodyElse, {}]) {
      const forged = await fetch(eventsUrl(h.bot.port), { method: "POST", body, headers })
      expect(forged.status).toBe(401)
    }
    const samples = await scrape(h)
    expect(samples.get("unsigned_requests_total")).toBe(5)
    expect([...samples.keys()].filter((name) => /evil/.test(name))).toEqual([])
    const told = h.logged.filter(({ msg }) => /rejected requests that aren't signed/.test(msg))
    expect(told.map(({ count }) => count)).toEqual([1, 2, 4])
    expect(await findingsOf(h)).toContainEqual({
      check: "slack requests",
      level: "warning",
      says: expect.stringMatching(/wasn't signed with SLACK_SIGNING_SECRET/),
      next: expect.any(String),
    })
  })
})

test("Redis being away is a sample, not a failed scrape", async (h) => {
  h.services.requestRedis.disconnect()
  const samples = await scrape(h)
  expect(samples.get("redis_up")).toBe(0)
  expect(samples.has('queue_waiting{project="docs"}')).toBe(false)
})

/** Counts equal names. */
function tally(names: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[String(name)] = (counts[String(name)] ?? 0) + 1
  return counts
}

/** Sums a counter's samples above 0 by one of its labels. */
function sums(samples: ReadonlyMap<string, number>, name: string, label: string) {
  const counts: Record<string, number> = {}
  for (const [sample, value] of samples) {
    const [, of = ""] = new RegExp(`^${name}\\{.*${label}="([^"]*)"`).exec(sample) ?? []
    if (of && value > 0) counts[of] = (counts[of] ?? 0) + value
  }
  return counts
}

/** Returns what the other parties saw of the bot, under the names that the metrics give it. */
function seenByOthers({ slack, docs }: Pick<TestBed, "slack" | "docs">) {
  const operations: Record<string, string> = { create: "create_job", get: "get_job" }
  const entries = slack.deliveries.map(({ delivery: { kind, payload } }) => {
    const { event, command } = delivered.parse(payload)
    return kind === "slash_commands" ? command : event?.type
  })
  return {
    operations: tally(docs.requests.map(({ kind }) => operations[kind] ?? kind)),
    methods: tally(slack.calls.map(({ method }) => method)),
    entries: tally(entries),
  }
}

const delivered = z.object({
  command: z.string().optional(),
  event: z.object({ type: z.string() }).optional(),
})

test("OPS-8, OPS-10: each counter is there at 0 before its first event, and over a run of traffic counts equal what happened", async () => {
  const h = await testBed({ env: { ADMIN_USERS: CLEO } })
  const { headers } = await fetch(`http://127.0.0.1:${h.bot.port}/metrics`)
  expect(headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/)
  const before = await scrape(h)
  expect(before.get("hour_ceiling")).toBe(99)
  expect(before.get("hour_reserved")).toBe(5)
  expect(before.get("redis_up")).toBe(1)
  expect(before.get('queue_waiting{project="docs"}')).toBe(0)
  expect(before.has("socket_connected")).toBe(false)
  for (const name of [
    'requests_total{outcome="queued"}',
    'requests_total{outcome="no_room"}',
    'creations_total{project="docs",outcome="unknown"}',
    'messages_total{project="docs",outcome="created"}',
    'jobs_ended_total{ending="failed"}',
    'service_calls_total{operation="create_job",outcome="server_error"}',
    'service_seconds_count{operation="create_job"}',
    'acks_total{entry="/docs-agent",outcome="failed"}',
    'ack_seconds_count{entry="/docs-agent"}',
    'slack_calls_total{method="auth.test",outcome="token_revoked"}',
    'slack_calls_total{method="users.info",outcome="missing_scope"}',
    'slack_calls_total{method="response_url",outcome="other"}',
  ])
    expect([name, before.get(name)]).toEqual([name, 0])

  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const broken = h.docs.fail({ type: "status", status: 500, kind: "create", times: 1 })
  const ask = (user: string, page: number) =>
    h.slack.as(user).slash(DOCS, "/docs-agent", `fix page ${page} of the guide`)
  await ask(ADA, 0)
  await h.botSays(/Couldn't confirm/)
  // An unclear answer pauses the queue for a while.
  await h.resumeAll()
  for (let n = 1; n < 7; n += 1) await ask([ADA, BEN][n % 2] ?? ADA, n)
  // Slack sends its retries, and in direct messages the bot's own words, too.
  await h.slack.redeliver()
  await h.slack.as(ADA).directMessage("fix page 7 of the guide")
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
  await h.toldPrivately(CLEO, /No problems found|\d problem/)
  const ended = async () => Object.values(sums(await scrape(h), "jobs_ended_total", "ending"))
  await expect.poll(async () => (await ended()).reduce((all, n) => all + n, 0)).toBe(8)
  const counted = async () => {
    const samples = await scrape(h)
    return {
      operations: sums(samples, "service_calls_total", "operation"),
      methods: sums(samples, "slack_calls_total", "method"),
      entries: sums(samples, "acks_total", "entry"),
    }
  }
  await vi.waitFor(async () => expect(await counted()).toEqual(seenByOthers(h)), 10_000)
  const after = await scrape(h)
  const isCounter = (name: string) => name.includes("_total{")
  expect([...after.keys()].filter((name) => isCounter(name) && !before.has(name))).toEqual([])
  const of = (name: string) => after.get(name) ?? 0
  expect(of('requests_total{outcome="queued"}')).toBe(8)
  expect(of('creations_total{project="docs",outcome="created"}')).toBe(7)
  expect(of('creations_total{project="docs",outcome="unknown"}')).toBe(broken.hits)
  expect(of('service_calls_total{operation="create_job",outcome="ok"}')).toBe(7)
  expect(of('service_calls_total{operation="create_job",outcome="server_error"}')).toBe(broken.hits)
  expect(of('service_seconds_count{operation="create_job"}')).toBe(7 + broken.hits)
  expect(of('acks_total{entry="/docs-agent",outcome="acked"}')).toBe(9)
  expect(of('jobs_ended_total{ending="pull_request"}')).toBe(7)
  expect(of('jobs_ended_total{ending="unknown"}')).toBe(1)
  expect(of('hour_used{project="docs"}')).toBe(7 + broken.hits)
  expect(of('service_calls_total{operation="get_job",outcome="ok"}')).toBeGreaterThan(0)
  expect(of('slack_calls_total{method="chat.postMessage",outcome="ok"}')).toBeGreaterThan(0)
  // No label holds a person, a channel or a word of theirs.
  const text = await metricsOf(h.bot)
  for (const word of ["page", ADA, BEN, CLEO, DOCS]) expect(text).not.toContain(word)
})
