import { setup as build } from "../helpers/build.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { SECRETS, startOtherParties } from "../sandbox/test-bed.ts"
import type { Bench, Row } from "./kit/bench.ts"
import { closing } from "./kit/closing.ts"
import { commands, people, rememberProfiles } from "./kit/commands.ts"
import { cannotPin, pin } from "./kit/cores.ts"
import { leastWrites } from "./kit/least-writes.ts"
import { LoadGenerator } from "./kit/load.ts"
import { processFacts } from "./kit/process-facts.ts"
import { answersSlack, BARE_BOLT, BOT, launch, type Program } from "./kit/program.ts"
import { emptied, redisCounts } from "./kit/redis-counts.ts"
import { alone, alternate, compare, median, type Pair, type Sample } from "./kit/rounds.ts"

const CONNECTIONS = 32
const COMMANDS = 12_000
/** Each asks six times a round, well under what one person may have waiting. */
const PEOPLE = 2000
/** Of web and Redis together, over that of the bare app. */
const MOST_CPU = { atMost: 1.4 }

export const ack: Bench = {
  title: "signed /docs-agent commands made durable in Redis, against a Bolt app that only acks",
  needsRedis: true,

  async run({ rounds, share }) {
    build()
    await using redis = await startRedisServer()
    const { slack, docs, env } = await startOtherParties({})
    await using _ = closing(slack, docs)
    const bot = { ...env, REDIS_URL: redis.url }
    await using ours = await launch([BOT, "web"], { ...bot, LOG_LEVEL: "warn" }, answersSlack)
    await using talkative = await launch([BOT, "web"], bot, answersSlack)
    await using bare = await launch([BARE_BOLT], env, answersSlack)
    await using generator = new LoadGenerator()
    const crowd = new Crowd(generator, Math.round(COMMANDS * share))
    const ofBare = async () => alsoAlone(await crowd.ask(bare))
    const ofBareAndWrites = async () => ({
      ...(await ofBare()),
      redisCpu: await leastWrites(redis, crowd.size, crowd.who),
    })
    const ofOurs = async () => measureOurs(redis, ours, crowd)
    const shared = await alternate({ rounds }, ofBareAndWrites, async () => {
      const logged = await measureOurs(redis, talkative, crowd)
      return { ...(await ofOurs()), cpuLogged: logged.cpu ?? Number.NaN }
    })
    const why = cannotPin()
    if (!why) {
      pin(0, [ours.pid, bare.pid, redis.pid])
      pin(1, [generator.pid])
    }
    const apart = why ? [] : await alternate({ rounds }, ofBare, ofOurs)
    return {
      rows: [...sharedRows(shared), ...(why ? [] : apartRows(apart))],
      notes: [
        `${CONNECTIONS} connections, ${crowd.size} commands a round by ${PEOPLE} people whose profile is known.`,
        "LOG_LEVEL is warn unless a row says otherwise, as the bare app logs nothing.",
        "Redis writes its append-only file, and shares the machine's cores with the bot and the load.",
        "The bare writes are the twelve that store a request, made by a script that checks nothing first.",
        why
          ? `Without rows of a generator that has a core of its own: ${why}.`
          : "Where the generator has a core of its own, the bot and Redis share the other one, which the bare app has to itself.",
      ],
    }
  },
}

function sharedRows(pairs: readonly Pair[]): Row[] {
  const ourFigure = (key: string) => median(pairs.map((pair) => pair.ours[key] ?? Number.NaN))
  return [
    compare(pairs, "perSecond", "commands accepted", "/s", { atLeast: 0.7 }),
    compare(pairs, "p99", "99th percentile", "ms", { atMost: 1.5 }),
    compare(pairs, "cpu", "CPU per command", "µs", { atMost: 1.3 }),
    compare(pairs, "cpuLogged", "the same with its two lines of log", "µs"),
    compare(pairs, "cpuBoth", "CPU of web and Redis per command", "µs", MOST_CPU),
    alone("roundTrips", "Redis round trips per command", "", ourFigure("roundTrips")),
    compare(pairs, "redisCpu", "CPU of Redis per command, against the bare writes", "µs"),
  ]
}

function apartRows(pairs: readonly Pair[]): Row[] {
  const where = "generator on a core of its own"
  const row = (...[key, what, unit, goal]: ComparedRow) => ({
    ...compare(pairs, key, `${where}: ${what}`, unit, goal),
    key: `apart:${key}`,
  })
  return [
    row("perSecond", "commands accepted", "/s"),
    row("p99", "99th percentile", "ms"),
    row("cpuBoth", "CPU of web and Redis per command", "µs", MOST_CPU),
  ]
}

type ComparedRow = [key: string, what: string, unit: Row["unit"], goal?: Row["goal"]]

/** The bare app writes nothing down and so has no Redis; its log is as quiet as it gets. */
function alsoAlone(sample: Sample): Sample {
  const cpu = sample.cpu ?? Number.NaN
  return { ...sample, cpuLogged: cpu, cpuBoth: cpu }
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
  async ask(program: Program): Promise<Sample> {
    this.#round += 1
    const requests = commands(this.size, this.who, this.#round)
    const before = processFacts(program.pid).cpuMs
    const load = { url: program.url, connections: CONNECTIONS, requests }
    const { seconds, p99, answers } = await this.#generator.run(load)
    const cpuMs = processFacts(program.pid).cpuMs - before
    const [answer = "", ...others] = Object.keys(answers)
    if (others.length > 0 || !answer.startsWith("200"))
      throw new Error(`Not every command was accepted: ${JSON.stringify(answers)}`)
    return { perSecond: this.size / seconds, p99, cpu: (cpuMs * 1000) / this.size }
  }
}

/** One round of ours on an empty store. @throws Error when an acknowledged command is not durable. */
async function measureOurs(redis: RedisServer, bot: Program, crowd: Crowd): Promise<Sample> {
  await emptied(redis)
  await rememberProfiles(redis.client, crowd.who)
  const before = await redisCounts(redis)
  const sample = await crowd.ask(bot)
  const after = await redisCounts(redis)
  const waiting = await redis.client.zcard(`{da}:p:${SECRETS.project}:wait`)
  if (waiting !== crowd.size)
    throw new Error(`${crowd.size} were acknowledged and ${waiting} are durable`)
  const redisCpu = ((after.cpuMs - before.cpuMs) * 1000) / crowd.size
  return {
    ...sample,
    roundTrips: (after.reads - before.reads) / crowd.size,
    redisCpu,
    cpuBoth: (sample.cpu ?? Number.NaN) + redisCpu,
  }
}
