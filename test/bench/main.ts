import { cpus, totalmem } from "node:os"
import { parseArgs } from "node:util"
import { findRedisServer } from "../../src/store/embedded-redis.ts"
import { setup as build } from "../helpers/build.ts"
import { idle, start } from "./at-rest.ts"
import { isMet, run, table } from "./figure.ts"
import { burst, throughput } from "./taking-in.ts"
import { fullHour, latency } from "./to-the-reply.ts"

const BENCHES = { burst, latency, start, idle, throughput, "full-hour": fullHour }

/** Factor by which a quick run may exceed a goal: shared machines vary, but rarely by so much. */
const QUICK_FACTOR = 3

const USAGE = `npm run bench [-- <name>… --quick]
  --quick  a tenth of the work; fails only if a figure exceeds three times its goal
Benchmarks: ${Object.keys(BENCHES).join(", ")}
`

process.exit(await main())

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean" }, help: { type: "boolean" } },
  })
  const unknown = positionals.filter((name) => !(name in BENCHES))
  if (values.help || unknown.length > 0) {
    process.stdout.write(USAGE)
    return values.help ? 0 : 1
  }
  if (!findRedisServer(process.env.PATH)) {
    process.stderr.write("No redis-server on PATH: install one to run the benchmarks.\n")
    return 1
  }
  build()
  process.stdout.write(`${machine()}\n`)
  const missed: string[] = []
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const figures = await run(bench, values.quick ? 0.1 : 1)
    process.stdout.write(`\n${table(`${name}: ${bench.title}`, figures)}\n`)
    const factor = values.quick ? QUICK_FACTOR : 1
    missed.push(...figures.filter((figure) => !isMet(figure, factor)).map(({ what }) => what))
  }
  if (missed.length === 0) return 0
  process.stderr.write(`Too far from the goal: ${missed.join(", ")}\n`)
  return 1
}

/** Describes the machine, without which figures mean nothing. */
function machine(): string {
  const [first] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return `${first?.model ?? "unknown"}, ${cpus().length} cores, ${memory}; node ${process.versions.node}`
}
