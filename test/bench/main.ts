import { execFile } from "node:child_process"
import { parseArgs, promisify } from "node:util"
import { findRedisServer } from "../../src/redis/connection/embedded.ts"
import { findChromium, NO_CHROMIUM } from "../helpers/chromium.ts"
import { ack } from "./ack.ts"
import { alerts } from "./alerts.ts"
import { detect } from "./detect.ts"
import { growing } from "./growing.ts"
import { idle } from "./idle.ts"
import { type Bench, FULL, QUICK } from "./kit/bench.ts"
import { machine } from "./kit/machine.ts"
import { markdown } from "./kit/markdown.ts"
import { heading, type Report, type Result, table } from "./kit/report.ts"
import { latency } from "./latency.ts"
import { limiter } from "./limiter.ts"
import { page } from "./page.ts"
import { poll } from "./poll.ts"
import { scale } from "./scale.ts"
import { start } from "./start.ts"
import { status } from "./status.ts"
import { visitors } from "./visitors.ts"
import { workers } from "./workers.ts"

const BENCHES: Readonly<Record<string, Bench>> = {
  ack,
  alerts,
  detect,
  growing,
  idle,
  latency,
  limiter,
  page,
  poll,
  scale,
  start,
  status,
  visitors,
  workers,
}

const USAGE = `npm run bench [-- <name>… --json --markdown --quick]
  --json      the whole result on standard output, for other programs
  --markdown  the tables of the README
  --quick     a tenth of the work: to work on a benchmark, not for its figures
`

await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      markdown: { type: "boolean" },
      quick: { type: "boolean" },
      help: { type: "boolean" },
    },
  })
  const unknown = positionals.filter((name) => !(name in BENCHES))
  if (values.help || unknown.length > 0) {
    const why = unknown.length > 0 ? `There is no benchmark ${unknown.join(", ")}.\n` : ""
    process.stdout.write(`${why}${USAGE}Benchmarks: ${Object.keys(BENCHES).join(", ")}\n`)
    process.exit(values.help ? 0 : 1)
  }
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHES)
  const result = await runAll(names, values.quick ?? false, (report) => {
    if (!values.json && !values.markdown) process.stdout.write(`${table(report)}\n`)
  })
  if (values.json) process.stdout.write(JSON.stringify(result))
  else process.stdout.write(values.markdown ? markdown(result) : heading(result.machine))
  process.exit(0)
}

async function runAll(
  names: readonly string[],
  quick: boolean,
  onReport: (report: Report) => void,
): Promise<Result> {
  const redisServer = findRedisServer(process.env.PATH)
  const reports: Report[] = []
  for (const name of names) {
    const missing = missingFor(BENCHES[name], redisServer)
    if (missing) {
      process.stderr.write(`${name} is left out. ${missing}\n`)
      continue
    }
    const report = names.length === 1 ? await run(name, quick) : await runApart(name, quick)
    reports.push(report)
    onReport(report)
  }
  return { at: new Date().toISOString(), quick, machine: machine(redisServer), reports }
}

function missingFor(bench: Bench | undefined, redisServer: string | undefined) {
  if (bench?.needsRedis && !redisServer)
    return "No redis-server on PATH: install one (Debian: apt-get install redis-server; macOS: brew install redis)."
  return bench?.needsChromium && !findChromium() ? NO_CHROMIUM : undefined
}

async function run(name: string, quick: boolean): Promise<Report> {
  const bench = BENCHES[name]
  if (!bench) throw new Error(`There is no benchmark ${name}`)
  const start = performance.now()
  const figures = await bench.run(quick ? QUICK : FULL)
  return { name, title: bench.title, ...figures, seconds: (performance.now() - start) / 1000 }
}

/** In a process of its own: what one benchmark left in memory must not weigh on the next. */
async function runApart(name: string, quick: boolean): Promise<Report> {
  const self = new URL(import.meta.url).pathname
  const args = ["--import", "tsx", self, name, "--json", ...(quick ? ["--quick"] : [])]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 })
  const [report] = (JSON.parse(stdout) as Result).reports
  if (!report) throw new Error(`The benchmark ${name} gave no result`)
  return report
}
