import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { ADA, ADA_DM } from "../sandbox/slack/seed/ids.ts"
import { SECRETS, startOtherParties, type TestBed } from "../sandbox/test-bed.ts"
import type { Bench, Goal, Row, Unit } from "./kit/bench.ts"
import { Child } from "./kit/child.ts"
import type { ReaderAnswer, ReaderOrder } from "./kit/reader-process.ts"
import { alternate, compare, median, type Pair, type Sample } from "./kit/rounds.ts"
import type { Seen, ServiceOrder, ServiceReady } from "./kit/visitors-service-process.ts"

const PAGES = 100_000
const FEW_PAGES = 1000
/** A service that is somewhere else, ms away; fewer pages show it as well. */
const FAR_MS = 50
const FAR_PAGES = 5000
const CACHED = 40
/** A round of either takes ten seconds. */
const MOST_ROUNDS = 3
const MEMORY_ROUNDS = 2

type Reader = Child<string, ReaderOrder, ReaderAnswer>
type Service = Child<ServiceReady, ServiceOrder, Seen>

export const visitors: Bench = {
  title: "an answer about 90 days and its CSV, against fetching the same from the same service",
  needsRedis: true,

  async run({ rounds: wanted, share }) {
    const rounds = Math.min(wanted, MOST_ROUNDS)
    const pages = Math.round(PAGES * share)
    await using redis = await startRedisServer()
    const { slack, docs, env } = await startOtherParties({})
    const world = { redis, slack, env: { ...env, REDIS_URL: redis.url } }
    await using near = await VisitorsProcess.open(world, pages, 0)
    await using far = await VisitorsProcess.open(world, FAR_PAGES, FAR_MS)
    await using few = await VisitorsProcess.open(world, FEW_PAGES, 0)
    const memory: Pair[] = []
    for (let round = 0; round < MEMORY_ROUNDS; round += 1)
      memory.push({ reference: await few.peak(), ours: await near.peak() })
    await near.ours()
    await far.ours()
    const pairs = await alternate(
      { rounds },
      async () => ({ ...(await near.bare()), ...named(await far.bare()) }),
      async () => ({ ...(await near.ours()), ...named(await far.ours()) }),
    )
    await Promise.all([slack.close(), docs.close()])
    return { rows: rowsOf(pairs, memory, pages), notes: notes(near, pages) }
  },
}

function rowsOf(pairs: readonly Pair[], memory: readonly Pair[], pages: number): Row[] {
  const row = (key: string, what: string, unit: Unit, goal?: Goal) =>
    compare(pairs, key, what, unit, goal)
  const [many, less] = [pages, FEW_PAGES].map((count) => count.toLocaleString("en"))
  return [
    row("cached", "cached answer", "ms", { atMost: 0.25 }),
    row("uncached", "uncached answer", "ms"),
    row("far:uncached", `uncached, service ${FAR_MS} ms away`, "ms", { atMost: 1 }),
    row("perSecond", "CSV, pages per second", "/s"),
    row("far:perSecond", `the same, service ${FAR_MS} ms away`, "/s", { atLeast: 0.75 }),
    compare(memory, "held", `memory in use, CSV of ${many} against ${less}`, "MB", {
      atMost: 1.25,
    }),
    compare(memory, "resident", "most resident memory", "MB", { atMost: 1.5 }),
    compare(memory, "peak", "the same over what was there before", "MB"),
  ]
}

function notes({ asked }: VisitorsProcess, pages: number): string[] {
  return [
    `An answer takes ${asked.report.length} requests, the CSV of ${pages} pages ${asked.csv.length}. The reference fetches and parses the very same, one after the other.`,
    "Bottleneck takes 4.4 ms for every request before and after it. The CSV is written to Redis page by page and sent to Slack.",
    "Memory is that of a new process each time; in use is what a collection leaves, at its most. V8 collects late as long as the machine has memory.",
  ]
}

const named = (sample: Sample): Sample =>
  Object.fromEntries(Object.entries(sample).map(([key, value]) => [`far:${key}`, value]))

interface World {
  redis: RedisServer
  slack: TestBed["slack"]
  env: Readonly<Record<string, string>>
}

/** A service and somebody who reads it, each in a process of its own. */
class VisitorsProcess implements AsyncDisposable {
  /** What ours asked of the service. */
  asked: { report: Seen; csv: Seen } = { report: [], csv: [] }
  readonly #world: World
  readonly #service: Service
  readonly #reader: Reader

  private constructor(world: World, service: Service, reader: Reader) {
    this.#world = world
    this.#service = service
    this.#reader = reader
  }

  static async open(world: World, pages: number, awayMs: number): Promise<VisitorsProcess> {
    const args = [String(pages), String(awayMs)]
    const service: Service = await Child.start("visitors-service-process.ts", args)
    return new VisitorsProcess(world, service, await openReader(world, service))
  }

  /** Nothing is known; then it is; then the CSV is asked for. */
  async ours(): Promise<Sample> {
    await this.#world.redis.client.flushall()
    await this.#service.ask("seen")
    const uncached = await this.#reader.ask({ kind: "report" })
    const report = await this.#service.ask("seen")
    const cached = await repeated(() => this.#reader.ask({ kind: "report" }))
    const csv = await this.#reader.ask({ kind: "export", user: ADA })
    this.asked = { report, csv: await this.#service.ask("seen") }
    return { cached, uncached: uncached.ms, perSecond: (this.#rowsInSlack() * 1000) / csv.ms }
  }

  async bare(): Promise<Sample> {
    const report = await this.#fetch(this.asked.report)
    const csv = await this.#fetch(this.asked.csv)
    return { cached: report.ms, uncached: report.ms, perSecond: (csv.rows * 1000) / csv.ms }
  }

  /** Of a new process that makes a CSV, its figures known; then another one to see what is in use. */
  async peak(): Promise<Sample> {
    await this.#world.redis.client.flushall()
    await using reader = await openReader(this.#world, this.#service)
    await reader.ask({ kind: "report" })
    const { peakBytes, residentBytes } = await reader.ask({ kind: "export", user: ADA })
    const { heldBytes } = await reader.ask({ kind: "export", user: ADA, collecting: true })
    const [peak, resident, held] = [peakBytes, residentBytes, heldBytes].map((n) => n / 2 ** 20)
    return { peak: peak ?? 0, resident: resident ?? 0, held: held ?? 0 }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader[Symbol.asyncDispose]()
    await this.#service[Symbol.asyncDispose]()
  }

  #fetch(paths: Seen): Promise<ReaderAnswer> {
    const urls = paths.map((path) => new URL(path, this.#service.ready).href)
    return this.#reader.ask({ kind: "fetch", urls, key: SECRETS.apiKey })
  }

  #rowsInSlack(): number {
    const file = this.#world.slack.channel(ADA_DM).messages().at(-1)?.files[0]
    if (!file) throw new Error("No CSV reached Slack")
    return file.content.toString("utf8").split("\r\n").length - 2
  }
}

function openReader({ env }: World, service: Service): Promise<Reader> {
  const settings = { ...env, DOCS_API_URL: service.ready, ANALYTICS_PER_HOUR: "100000" }
  return Child.start("reader-process.ts", [], settings)
}

async function repeated(read: () => Promise<ReaderAnswer>): Promise<number> {
  const took: number[] = []
  for (let time = 0; time < CACHED; time += 1) took.push((await read()).ms)
  return median(took)
}
