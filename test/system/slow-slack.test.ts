import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { setTimeout as delay } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keys } from "../../src/redis/keys.ts"
import { compileBot } from "../helpers/compiled-bot.ts"
import { dice } from "../helpers/dice.ts"
import { botMessages } from "../helpers/reading.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/seed/ids.ts"
import { eventsUrl, startOtherParties } from "../sandbox/test-bed.ts"

/** Short leases: every round waits for one. Slack's patience and the bot's are those of production. */
const CIRCUMSTANCES = {
  coldMs: 0,
  timing: {
    leaseMs: 2000,
    slackTimeoutMs: 10_000,
    rates: { channelPost: [50, 20], workspacePost: [20, 50], edit: [50, 50], session: [50, 50] },
    pauses: { firstMs: 1000, outageFirstMs: 1000, longestMs: 1000 },
  },
}
const PEOPLE = [ADA, BEN, CLEO]
const ROUNDS = 6
const READY = /request ready/
/** From the acknowledgement to the kill, ms: who asked is looked up, the job made, the answer said. */
const LATEST_KILL_MS = 60

const bot = compileBot()
const running = new Set<ChildProcess>()
let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer(["--appendfsync", "always"])
})
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL")
  bot[Symbol.dispose]()
  await redis[Symbol.asyncDispose]()
})

/** Starts a part of the bot; resolves when it says that it is started. */
async function start(type: "web" | "worker", env: Record<string, string>) {
  const args = [bot.entry, type, JSON.stringify(CIRCUMSTANCES)]
  const all = { PATH: process.env.PATH ?? "", ...env, REDIS_URL: redis.url, PORT: "0" }
  const child = spawn(process.execPath, args, { env: all, stdio: ["ignore", "pipe", "inherit"] })
  running.add(child)
  const port = await new Promise<number>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the ${type} ended: ${code}`)))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const started = /"port":(\d+),(?:.*,)?"msg":"(?:started|not ready yet)"/.exec(line)
      if (started) resolve(Number(started[1]))
    })
  })
  return {
    port,
    async kill() {
      running.delete(child)
      child.kill("SIGKILL")
      if (child.signalCode === null) await once(child, "exit")
    },
  }
}

test("killed after it acknowledged what it could not act upon yet: one job and one card each", async () => {
  const seed = Number(process.env.SLOW_SLACK_SEED ?? Date.now() % 1_000_000)
  process.stdout.write(`seed ${seed}: SLOW_SLACK_SEED=${seed} repeats it\n`)
  const chance = dice(seed)
  const { slack, docs, github, env } = await startOtherParties({})
  docs.planAll({ ending: "pull_request", afterMs: 10 })
  await start("worker", { ...env, POLL_MIN_MS: "50" })
  const asked: string[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      // As when nobody was here for a while: Slack is asked who they are. Held before the bot starts, which
      // goes on at once with what an earlier round left.
      const held = slack.hold("users.info")
      await redis.client.del(...PEOPLE.map(keys.profile))
      const web = await start("web", env)
      slack.setEventsUrl(eventsUrl(web.port))
      asked.push(...PEOPLE.map((person) => `${person} asks ${round}`))
      const [ada, ben, cleo] = await Promise.all([
        slack.as(ADA).slash(DOCS, "/docs-agent", `${ADA} asks ${round}`),
        slack.as(BEN).slash(DOCS, "/docs-agent", `${BEN} asks ${round}`),
        slack.as(CLEO).mention(DOCS, `${CLEO} asks ${round}`),
      ])
      for (const { ok } of [ada, ben, ...cleo.deliveries]) expect(ok).toBe(true)
      expect(docs.creations.some(({ prompt }) => prompt.endsWith(`asks ${round}`))).toBe(false)
      // Now and then before Slack says anything, else at any moment after.
      if (chance.chance(0.3)) await web.kill()
      held.release()
      await delay(chance.between(0, LATEST_KILL_MS))
      await web.kill()
    }
    const web = await start("web", env)
    slack.setEventsUrl(eventsUrl(web.port))
    // The text says the request also where the card leaves it out, below a mention that says it.
    const cardsOf = (words: string) => botMessages(slack).filter(({ text }) => text.includes(words))
    const isReady = (words: string) => cardsOf(words).some(({ text }) => READY.test(text))
    await slack.until(() => asked.every(isReady), { timeoutMs: 60_000 })
    // A second one would come with the next lease.
    await delay(2 * CIRCUMSTANCES.timing.leaseMs)
    expect(docs.creations.map(({ prompt }) => prompt).sort()).toEqual(asked.toSorted())
    for (const words of asked) expect(cardsOf(words), words).toHaveLength(1)
    expect(await redis.client.zcard(keys.deferred)).toBe(0)
    expect([...slack.violations]).toEqual([])
  } finally {
    await slack.close()
    await docs.close()
    await github.close()
  }
})
