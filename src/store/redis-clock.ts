import { read } from "./commit.ts"
import { key } from "./redis-keys.ts"
import type { Store } from "./script.ts"

/** Returns the time in ms by Redis's clock, in a cluster that of the node with the bot's keys. */
export async function currentTime(store: Store): Promise<number> {
  return (await read(store, key("clock")))[0]
}
