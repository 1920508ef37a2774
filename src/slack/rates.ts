import type { Timing } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import { rateLimit } from "../store/limits.ts"
import type { Store } from "../store/script.ts"

/** Number of edits in a burst that the bot keeps for cards that somebody is waiting for. */
const KEPT_FOR_ANSWERS = 3

/** Returns 0 if the bot may write now, or the wait in ms. `answer`: somebody awaits the edit. */
export function takeTurn(
  store: Store,
  { edit, channelPost, workspacePost }: Timing["rates"],
  kind: "post" | "edit" | "answer",
  channel: string,
): Promise<number> {
  if (kind === "post") {
    const both = [key("turn", "post", channel), key("turn", "post")]
    return rateLimit(store, {}, {}, [...channelPost, ...workspacePost], both)
  }
  const [interval, burst] = edit
  const most = kind === "answer" ? burst : Math.max(1, burst - KEPT_FOR_ANSWERS)
  return rateLimit(store, {}, {}, [interval, most], [key("turn", "edit")])
}
