import type { DocsService } from "../../src/sandbox/docs-service/service.ts"
import { eventsUrl, SECRETS, startNeighbours } from "../../src/sandbox/house.ts"
import { setup as build } from "../helpers/build.ts"
import { type BotProcess, startBot, startNode } from "../helpers/process.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import type { Bench } from "./kit/bench.ts"
import { commands, people, rememberProfiles } from "./kit/commands.ts"
import { LoadGenerator } from "./kit/load.ts"
import { processFacts } from "./kit/process-facts.ts"
import { emptied, redisCounts } from "./kit/redis-counts.ts"
import { alone, alternate, compare, median, type Sample } from "./kit/rounds.ts"

const BARE = new URL("./reference/bolt-app.js", import.meta.url).pathname
const CONNECTIONS = 32
const COMMANDS = 12_000
/** Each asks six times a round, well under what one person may have waiting. */
const PEOPLE = 2000

export const ack: Bench = {
  title: "signed /docs-agent commands made durable in Redis, against a Bolt app that only acks",
  needsRedis: true,

  async run({ rounds, share }) {
    build()
    await using redis = await startRedisServer()
    const { slack, docs, env } = await startNeighbours({})
    await using _ = closing(slack, docs)
    await using ours = await startBot("web", { ...env, REDIS_URL: redis.url, PORT: "0" })
    await using bare = await startNode([BARE], env)
    await using generator = new LoadGenerator()
    const crowd = new Crowd(generator, Math.round(COMMANDS * share))
    const pairs = await alternate(
      { rounds },
      () => crowd.ask(bare),
      () => measureOurs(redis, ours, crowd),
    )
    const ourFigure = (key: string) => median(pairs.map((pair) => pair.ours[key] ?? Number.NaN))
    return {
      rows: [
        compare(pairs, "perSecond", "commands accepted", "/s", { atLeast: 0.7 }),
        compare(pairs, "p99", "99th percentile", "ms", { atMost: 1.5 }),
        compare(pairs, "cpu", "CPU per command", "µs", { atMost: 1.3 }),
        alone("roundTrips", "Redis round trips per command", "", ourFigure("roundTrips")),
        alone("redisCpu", "CPU of Redis per command", "µs", ourFigure("redisCpu")),
      ],
      notes: [
        `${CONNECTIONS} connections, ${crowd.size} commands a round by ${PEOPLE} people whose profile is known.`,
        "Redis writes its append-only file; it, the load and the bot share the machine's cores.",
      ],
    }
  },
}

/** People who all type at once. */
class Crowd {
  readonly who = people(PEOPLE)
  readonly size: number
  readonly #generator: LoadGenerator
  #round = 0

  constructor(generator: LoadGenerator, size: number) {
    this.#generator = generator
    this.size = size
  }

  /** @throws Error unless every command was answered alike, with 200. */
  async ask(process: BotProcess): Promise<Sample> {
    this.#round += 1
    const requests = commands(this.size, this.who, this.#round)
    const before = processFacts(process.pid).cpuMs
    const load = { url: eventsUrl(process.port), connections: CONNECTIONS, requests }
    const { seconds, p99, answers } = await this.#generator.run(load)
    const cpuMs = processFacts(process.pid).cpuMs - before
    const [answer = "", ...others] = Object.keys(answers)
    if (others.length > 0 || !answer.startsWith("200"))
      throw new Error(`Not every command was accepted: ${JSON.stringify(answers)}`)
    return { perSecond: this.size / seconds, p99, cpu: (cpuMs * 1000) / this.size }
  }
}

/** One round of ours on an empty store. @throws Error when an acknowledged command is not durable. */
async function measureOurs(redis: RedisServer, bot: BotProcess, crowd: Crowd): Promise<Sample> {
  await emptied(redis)
  await rememberProfiles(redis.client, crowd.who)
  const before = await redisCounts(redis)
  const sample = await crowd.ask(bot)
  const after = await redisCounts(redis)
  const waiting = await redis.client.zcard(`{da}:p:${SECRETS.project}:wait`)
  if (waiting !== crowd.size)
    throw new Error(`${crowd.size} were acknowledged and ${waiting} are durable`)
  return {
    ...sample,
    roundTrips: (after.reads - before.reads) / crowd.size,
    redisCpu: ((after.cpuMs - before.cpuMs) * 1000) / crowd.size,
  }
}

function closing(...parties: Pick<DocsService, "close">[]): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(parties.map((party) => party.close()))
    },
  }
}
