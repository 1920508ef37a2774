import { REPEATED_WITHIN_MS } from "../slack/intake.ts"
import { claimAct, isFirst, onceKey } from "../store/claims.ts"
import type { Store } from "../store/script.ts"
import type { Reply } from "./work-after-ack.ts"

/** Failure of a delivery that comes again while the first is still in work. */
class StillActing extends Error {
  override name = "StillActing"
}

/** Claims the answer to a delivery, which anybody may send again. Resolves to false if it was claimed. */
export function isFirstAnswer({ store }: { store: Store }, id: string): Promise<boolean> {
  return isFirst(store, id, REPEATED_WITHIN_MS)
}

/**
 * Acts on a delivery once, however often Slack or somebody who captured the signed request sends
 * it. If acting fails, or its process dies, a repeated delivery counts again. Requests need no such
 * claim: each derives its ids from its delivery. While Redis is unavailable, acting goes ahead, to
 * fail and say so.
 * @param id `trigger_id`, for example
 * @throws StillActing for an event: Slack sends it again later, but never a command or click
 */
export async function actOnce(
  { store }: { store: Store },
  id: string | undefined,
  act: () => Promise<Reply>,
  isEvent = false,
): Promise<Reply> {
  if (id === undefined) return act()
  const claim = await claimAct(store, onceKey(`${id}.act`), REPEATED_WITHIN_MS).catch(
    () => undefined,
  )
  if (claim === "acting" && isEvent) throw new StillActing("The first delivery is still in work")
  if (claim === "acting" || claim === "done") return {}
  const reply = await act().catch(async (error: unknown) => {
    await claim?.failed()
    throw error
  })
  // The action is done, even if a repeated delivery will not know.
  await claim?.done().catch(() => {})
  return reply
}
