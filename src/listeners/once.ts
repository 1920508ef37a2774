import { once } from "../jobs/refresh.ts"
import type { Store } from "../store/script.ts"
import type { Reply } from "./answer.ts"

type Once = Store

/** A signature is good for five minutes, on clocks that may differ by as much, ms. */
const REPLAYED_WITHIN_MS = 15 * 60_000

/**
 * Is this the first time that this very command came? Slack sends a command once; whoever got hold of
 * a signed one can send it again, and what it changed or said in public must not be done twice.
 */
async function isFirstTime(store: Once, { triggerId }: { triggerId: string }): Promise<boolean> {
  return isFirst(store, `command:${triggerId}`, REPLAYED_WITHIN_MS)
}

/** The work of a command that is sent again is not done again. */
export function unlessReplayed(store: Once, command: { triggerId: string }) {
  return ({ work, ...reply }: Reply): Reply => {
    if (!work) return reply
    const once = async () =>
      (await isFirstTime(store, command)) ? ((await work()) ?? undefined) : undefined
    return { ...reply, work: once }
  }
}

/** While the store is away the answer is yes: the work that needs it finds out, and says so. */
export async function isFirst(store: Once, what: string, withinMs: number): Promise<boolean> {
  return once(store, what, withinMs).catch(() => true)
}
