import { performance } from "node:perf_hooks"
import { Pool } from "undici"
import type { Load, LoadResult } from "./load.ts"

/** Runs one load after the other, as its parent sends them. */
process.on("message", (load) => {
  void run(load as Load).then((result) => process.send?.(result))
})

async function run({ url, connections, requests }: Load): Promise<LoadResult> {
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const took: number[] = []
  const answers: Record<string, number> = {}
  let next = 0
  async function oneConnection(): Promise<void> {
    for (let request = requests[next++]; request; request = requests[next++]) {
      const sent = performance.now()
      const { statusCode, body } = await pool.request({ ...request, method: "POST", path })
      const text = await body.text()
      took.push(performance.now() - sent)
      const answer = `${statusCode} ${text.slice(0, 40)}`
      answers[answer] = (answers[answer] ?? 0) + 1
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, oneConnection))
  const seconds = (performance.now() - start) / 1000
  await pool.close()
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { seconds, p50: at(0.5), p99: at(0.99), answers }
}
