import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { readConfig } from "../../../src/config/config.ts"
import { createLog } from "../../../src/runtime/log.ts"
import { createServices } from "../../../src/services/services.ts"
import { exportPass } from "../../../src/visitors/export-pass.ts"
import { startExport } from "../../../src/visitors/exports.ts"
import type { Question } from "../../../src/visitors/question.ts"
import { parseRange } from "../../../src/visitors/range.ts"

import { endWithParent } from "./child.ts"

export type ReaderOrder =
  /** Answers the question of the last 90 days. */
  | { kind: "report" }
  /** Makes a CSV of it and sends it to Slack, as the worker does. `collecting` garbage at short intervals. */
  | { kind: "export"; user: string; collecting?: true }
  /** Fetches these one after the other, and does nothing with them but parse them. */
  | { kind: "fetch"; urls: readonly string[]; key: string }

export interface ReaderAnswer {
  ms: number
  /** Rows that were fetched. */
  rows: number
  /** Most resident memory while at it, over what was there before; bytes. */
  peakBytes: number
  /** The same with what was there before. */
  residentBytes: number
  /** Most memory in use right after a collection; 0 without `collecting`. */
  heldBytes: number
}

/** Between two looks at the memory, ms. */
const LOOK_MS = 2
const COLLECT_MS = 50

const config = readConfig(process.env)
const address = config.store.kind === "server" ? config.store : undefined
if (!address) throw new Error("REDIS_URL is one server here")
const services = createServices(config, createLog("silent", []), { address, coldMs: 0 })
const { visitors } = services.work
const today = new Date().toISOString().slice(0, 10)
const range = parseRange("90d", today)
if ("kind" in range) throw new Error(`not a range: ${range.words}`)
const question: Question = { project: config.docs.projects[0].name, range, by: "total", page: 1 }

setFlagsFromString("--expose-gc")
const gc = runInNewContext("gc") as () => void

process.on("message", (order: ReaderOrder) => {
  void measured(order).then((answer) => process.send?.(answer))
})
endWithParent()
process.send?.("ready")

async function run(order: ReaderOrder): Promise<number> {
  if (order.kind === "report") return report()
  if (order.kind === "fetch") return fetchAll(order.urls, order.key)
  await exportAll(order.user)
  return 0
}

async function report(): Promise<number> {
  const answer = await visitors.deps.ask.report(question, { kind: "person", user: "U0ADA00001" })
  if (answer.kind === "unavailable") throw new Error(`no answer: ${JSON.stringify(answer.why)}`)
  return 0
}

async function fetchAll(urls: readonly string[], key: string): Promise<number> {
  let rows = 0
  for (const url of urls) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    const page = (await answer.json()) as { visitors: unknown[] }
    rows += page.visitors.length
  }
  return rows
}

async function exportAll(user: string): Promise<void> {
  const { channel, ts } = await services.outbound.direct(user, { text: "Reading…", blocks: [] })
  const recipient = { user, channel, ts }
  await startExport(visitors.deps.exports, question, "T0", undefined, recipient)
  while ((await visitors.exports.exports.nextDue()) !== undefined)
    await exportPass(visitors.exports)
}

async function measured(order: ReaderOrder): Promise<ReaderAnswer> {
  const before = process.memoryUsage.rss()
  let resident = before
  let held = 0
  const look = () => {
    resident = Math.max(resident, process.memoryUsage.rss())
  }
  const collect = () => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    held = Math.max(held, heapUsed + external)
  }
  const collecting = order.kind === "export" && order.collecting
  const timer = collecting ? setInterval(collect, COLLECT_MS) : setInterval(look, LOOK_MS)
  const start = performance.now()
  const rows = await run(order)
  const ms = performance.now() - start
  clearInterval(timer)
  look()
  if (collecting) collect()
  return { ms, rows, peakBytes: resident - before, residentBytes: resident, heldBytes: held }
}
