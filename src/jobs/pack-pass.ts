import type { QueueStore } from "./queue-ports.ts"

export interface PackDeps {
  /** What is packed: one process does it at a time. */
  task: string
  /** Packs some; true while there is more. */
  pack: () => Promise<boolean>
  queue: Pick<QueueStore, "once">
  /** Between two looks, ms. */
  everyMs: number
  signal: AbortSignal
}

/**
 * One pass: puts together what has come to rest, in a fraction of the memory. @returns how long to
 * rest, ms
 */
export async function packPass({ task, pack, queue, everyMs, signal }: PackDeps): Promise<number> {
  if (!(await queue.once(task, everyMs / 2))) return everyMs
  let more = true
  while (more && !signal.aborted) more = await pack()
  return everyMs
}
