import { parseArgs } from "node:util"
import { findRedisServer } from "../../src/store/embedded.ts"
import { setup as build } from "../helpers/build.ts"
import { burst } from "./burst.ts"
import { type Bench, isMet, machine, table } from "./figure.ts"
import { fullHour } from "./full-hour.ts"
import { idle } from "./idle.ts"
import { latency } from "./latency.ts"
import { start } from "./start.ts"

const BENCHES: Readonly<Record<string, Bench>> = {
  burst,
  latency,
  start,
  idle,
  "full-hour": fullHour,
}

const USAGE = `npm run bench [-- <name>… --quick]
  --quick  a tenth of the work, and no verdict: finds out whether the benchmarks still run
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
  for (const [name, { title, run }] of Object.entries(BENCHES)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const figures = await run({ share: values.quick ? 0.1 : 1 })
    process.stdout.write(`\n${table(`${name}: ${title}`, figures)}\n`)
    missed.push(...figures.filter((figure) => !isMet(figure)).map(({ what }) => what))
  }
  return missed.length > 0 && !values.quick ? 1 : 0
}
