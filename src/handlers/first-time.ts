import type { QueueStore } from "../jobs/queue-ports.ts"

/** A signature is good for five minutes, on clocks that may differ by as much, ms. */
const REPLAYED_WITHIN_MS = 15 * 60_000

/**
 * Is this the first time that this very command came? Slack sends a command once; whoever got hold of
 * a signed one can send it again, and what it changed or said in public must not be done twice.
 */
export async function isFirstTime(
  queue: Pick<QueueStore, "once">,
  { triggerId }: { triggerId: string },
): Promise<boolean> {
  return isFirst(queue, `command:${triggerId}`, REPLAYED_WITHIN_MS)
}

/** While the store is away the answer is yes: the work that needs it finds out, and says so. */
export async function isFirst(
  queue: Pick<QueueStore, "once">,
  what: string,
  withinMs: number,
): Promise<boolean> {
  return queue.once(what, withinMs).catch(() => true)
}
