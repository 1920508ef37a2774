import { read } from "./commit.ts"
import { key } from "./keys.ts"
import type { Store } from "./script.ts"

/**
 * Reads Redis's clock. In a cluster, that is the clock of the node that holds the bot's keys.
 */
export async function currentTime(store: Store): Promise<number> {
  return (await read(store, { record: key("clock") })).now
}
