import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest"
import { createLog } from "../../../src/lib/log.ts"
import { secret } from "../../../src/lib/secrets.ts"
import { takeTurn } from "../../../src/slack/rate-limits.ts"
import { accessOf, connectRedis } from "../../../src/store/connect.ts"
import { key } from "../../../src/store/redis-keys.ts"
import { isStoreAway } from "../../../src/store/server-state.ts"
import { forgetMe } from "../../helpers/forget-me.ts"
import { type BotProcess, runBot } from "../../helpers/process.ts"
import { type ProcessBed, startProcessBed } from "../../helpers/process-bed.ts"
import {
  CLUSTER_PASSWORD,
  type RedisCluster,
  startRedisCluster,
} from "../../helpers/redis-cluster.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { letGrant } from "../../helpers/redis-server.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"

let cluster: RedisCluster
let bed: ProcessBed
let slack: ProcessBed["slack"]
let docs: ProcessBed["docs"]
let web: BotProcess
let worker: BotProcess

/** Time limit in ms: nodes must agree on a failover; the new primary grants nothing for 10 s. */
const PATIENCE_MS = 90_000
const WAIT = { timeout: PATIENCE_MS }
const PATIENT = { timeoutMs: PATIENCE_MS }

beforeAll(async () => {
  cluster = await startRedisCluster()
})
afterAll(() => cluster[Symbol.asyncDispose]())
beforeEach(async () => {
  const { owner } = await cluster.settled()
  await owner.server.client.flushall()
  await letGrant(owner.server.client)
  const polls = { POLL_MIN_MS: "50", POLL_MAX_MS: "200" }
  bed = await startProcessBed({ env: { ...polls, REDIS_URL: cluster.url } })
  slack = bed.slack
  docs = bed.docs
  web = await bed.start("web")
  worker = await bed.start("worker")
})
afterEach(async () => {
  const seen = [...slack.violations]
  await bed[Symbol.asyncDispose]()
  expect(seen).toEqual([])
})

const ask = (user: string, words: string) => slack.as(user).slash(DOCS, "/docs-agent", words)
const ready = () =>
  bed.botMessages().filter((m) => m.threadTs && /pull request is ready/.test(m.text))

/** Connects to a cluster for one test, as the bot does for requests. */
function connected(addresses: string) {
  const urls = addresses.split(",").map((url) => secret(url))
  const client = connectRedis({ kind: "cluster", urls }, "requests", createLog("silent", []))
  onTestFinished(() => client.disconnect())
  return client
}

const text = async (bot: BotProcess, path: string) =>
  (await fetch(`http://127.0.0.1:${bot.port}${path}`)).text()
const isReady = (bot: BotProcess) =>
  expect.poll(() => text(bot, "/readyz"), WAIT).toContain('"ready":true')

/** Starts a job, which the worker follows during the events in the cluster. */
async function followed(words: string): Promise<void> {
  docs.planAll({ ending: "never", afterMs: 0 })
  await ask(ADA, words)
  await bed.botSays(/Working|working/)
}

/** Ends the job once, then runs another from start to end. */
async function goesOn(): Promise<void> {
  docs.finish(docs.creations[0]?.jobId ?? "", "pull_request")
  await slack.until(() => ready().length === 1, PATIENT)
  await isReady(web)
  await isReady(worker)
  docs.planAll({ ending: "pull_request", afterMs: 20 })
  expect((await ask(BEN, "fix what was asked after")).shown).toBeUndefined()
  await slack.until(() => ready().length === 2, PATIENT)
  const prompts = docs.creations.map(({ prompt }) => prompt)
  expect(new Set(prompts).size).toBe(prompts.length)
}

test("a prompt becomes a pull request, visitors are counted, and who asks to be forgotten is", async () => {
  await isReady(web)
  await isReady(worker)
  docs.planAll({ ending: "pull_request", afterMs: 20 })
  expect((await ask(ADA, "canary of ada")).shown).toBeUndefined()
  await slack.until(() => ready().length === 1)
  const visitors = await slack.as(ADA).slash(DOCS, "/docs-visitors", "7d")
  expect(visitors.error).toBeUndefined()
  await slack.until((s) => s.ephemerals(ADA).find(({ text }) => /visitors/i.test(text)))
  const doctor = await runBot(["doctor"], bed.env)
  expect(doctor.output).toMatch(/ok +redis +Redis [\d.]+ is running/)
  expect(doctor.output).toMatch(/ok +redis persistence/)
  expect(doctor.code).toBe(0)

  // A repeated request waits for confirmation.
  expect((await ask(ADA, "canary of ada")).shown?.text).toMatch(/made this request/)
  await forgetMe(slack, ADA)
  const { owner } = await cluster.settled()
  expect(await dumpRedis(owner.server.client)).not.toContain("canary of ada")
})

test("an operator's fail-over while a job runs: it ends once, and all goes on", async () => {
  await followed("followed across a fail-over")
  await cluster.failOver()
  await goesOn()
})

test("the bot's keys move to another node while a job runs: it ends once, and all goes on", async () => {
  await followed("followed across a move")
  const { owner, other } = await cluster.settled()
  await cluster.migrate(other, async () => {
    const asked = await ask(BEN, "asked while the keys are on both nodes")
    expect(asked.ms).toBeLessThan(3000)
    expect(asked.error).toBeUndefined()
    expect(asked.shown?.text ?? "taken").toMatch(/^taken$|Something's wrong on my end/)
  })
  try {
    expect((await cluster.settled()).owner).toBe(other)
    await letGrant(other.server.client)
    await goesOn()
  } finally {
    await cluster.migrate(owner)
  }
})

// Redis's documents: "all names of keys that a script accesses must be explicitly provided as input
// key arguments". Without keys, a cluster can't tell that a script needs keys that are moving.
test.each(["answer", "post"] as const)(
  "the turns that Slack allows are given out once while their keys move to another node: %s",
  async (kind) => {
    const redis = connected(cluster.url)
    const turns = [3_600_000, 4] as const
    const rates = { edit: turns, session: turns, channelPost: turns, workspacePost: turns }
    const take = () => takeTurn({ redis, now: undefined }, rates, kind, "C1")
    for (let taken = 0; taken < 4; taken += 1) expect(await take()).toBe(0)
    // These keys move first: a node lists its newest keys first.
    for (let n = 0; n < 9; n += 1) await redis.set(key("before", String(n)), "1")

    const { owner, other } = await cluster.settled()
    await cluster.migrate(other, () => expect(take()).rejects.toThrow())
    try {
      expect((await cluster.settled()).owner).toBe(other)
      expect(await take()).toBeGreaterThan(0)
    } finally {
      await cluster.migrate(owner)
    }
  },
)

test("the node with the bot's keys dies with a creation in flight: its replica takes over", async () => {
  docs.planAll({ ending: "never", afterMs: 0 })
  docs.fail({ type: "delay", ms: 1000, when: "after", kind: "create" })
  await ask(ADA, "fix what is in flight")
  await bed.docsUntil(({ creations }) => creations.length === 1)
  const { owner, replica } = await cluster.settled()
  await owner.server.kill()
  try {
    await slack.until(
      () => bed.botMessages().find(({ text }) => /Working|working/.test(text)),
      PATIENT,
    )
    await letGrant(replica.server.client)
    await goesOn()
  } finally {
    await owner.server.restart()
  }
})

test("a replica that missed a creation hears of it when it takes over: the hour holds", async () => {
  const { owner, replica } = await cluster.settled()
  await replica.server.client.config("SET", "masterauth", "wrong")
  await owner.server.client.call("CLIENT", "KILL", "TYPE", "replica")
  try {
    await followed("missed by the replica")
    await owner.server.kill()
    const role = () => replica.server.client.info("replication")
    await expect.poll(role, WAIT).toContain("role:master")
    await expect.poll(() => text(web, "/metrics"), WAIT).toMatch(/^docs_agent_hour_used.* 1$/m)
  } finally {
    await owner.server.restart()
    await replica.server.client.config("SET", "masterauth", CLUSTER_PASSWORD)
  }
})

test("without a replica people get a clear answer, /readyz says why, and it recovers", async () => {
  await followed("followed across an outage")
  const { owner, replica } = await cluster.settled()
  await replica.server.kill()
  await owner.server.kill()
  try {
    const away = await ask(BEN, "fix what was asked meanwhile")
    expect(away.ms).toBeLessThan(3000)
    expect(away.error).toBeUndefined()
    expect(away.shown?.text).toMatch(/Something's wrong on my end/)
    await expect.poll(() => text(web, "/readyz"), WAIT).toMatch(/no working primary/)
    const doctor = await runBot(["doctor"], bed.env)
    expect(doctor.output).toMatch(/fault +redis +Redis Cluster has no working primary/)
    expect(doctor.code).toBe(1)
    await web.says(/"msg":"Redis isn't responding/)
  } finally {
    await owner.server.restart()
    await replica.server.restart()
  }
  await letGrant((await cluster.settled()).owner.server.client)
  await goesOn()
})

test("in a cluster too a command that somebody waits for ends in time while no node answers", async () => {
  const client = connected("redis://127.0.0.1:1,redis://127.0.0.1:2")
  const began = performance.now()

  const error = await client.get("x").catch((error: unknown) => error)

  expect(isStoreAway(error)).toBe(true)
  expect(performance.now() - began).toBeLessThan(3000)
})

test("user, password and TLS of a cluster's addresses are for all its nodes", () => {
  expect(accessOf(["redis://a:1", "redis://b:2"])).toEqual({})
  expect(accessOf(["rediss://a:1", "rediss://bot:p%40ss@b:2"])).toEqual({
    username: "bot",
    password: "p@ss",
    tls: {},
  })
})
