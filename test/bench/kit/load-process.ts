import { performance } from "node:perf_hooks"
import type { Load, LoadResult } from "./load.ts"
import { post, RawConnection } from "./raw-connection.ts"

/** Runs one load after the other, as its parent sends them. */
process.on("message", (load) => {
  void run(load as Load).then((result) => process.send?.(result))
})

async function run({ url, connections, requests }: Load): Promise<LoadResult> {
  const target = new URL(url)
  const bytes = requests.map(({ headers, body }) => post(target, headers, body))
  const took: number[] = []
  const answers: Record<string, number> = {}
  let next = 0
  async function keepAsking(connection: RawConnection): Promise<void> {
    for (let request = bytes[next++]; request; request = bytes[next++]) {
      const sent = performance.now()
      const answer = (await connection.ask(request)).slice(0, 44)
      took.push(performance.now() - sent)
      answers[answer] = (answers[answer] ?? 0) + 1
    }
  }
  const all = await Promise.all(Array.from({ length: connections }, () => RawConnection.to(target)))
  const start = performance.now()
  await Promise.all(all.map(keepAsking))
  const seconds = (performance.now() - start) / 1000
  for (const connection of all) connection[Symbol.dispose]()
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { seconds, p50: at(0.5), p99: at(0.99), answers }
}
