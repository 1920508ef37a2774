import type { QueueStore } from "../jobs/ports.ts"
import type { CommandPayload } from "./payloads.ts"

/** A signature is good for five minutes, on clocks that may differ by as much, ms. */
const REPLAYED_WITHIN_MS = 15 * 60_000

/**
 * Is this the first time that this very command came? Slack sends a command once; whoever got hold of
 * a signed one can send it again, and what it changed or said in public must not be done twice.
 * While the store is away the answer is yes: the work that needs it finds out, and says so.
 */
export async function isFirstTime(
  queue: Pick<QueueStore, "once">,
  { trigger_id }: Pick<CommandPayload, "trigger_id">,
): Promise<boolean> {
  return queue.once(`command:${trigger_id}`, REPLAYED_WITHIN_MS).catch(() => true)
}
