import type { Context } from "../jobs/context.ts"
import type { Message } from "../slack/message-types.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { isFirst, onceKey, takeTurnToAct } from "../store/claims.ts"

/** Time in ms before the bot repeats a notice, because admins still remember the problem. */
const TOLD_MS = 30 * 86_400_000

export async function tellOnce(
  { store, slack, settings }: Context,
  about: string,
  { log, message }: { log: () => void; message: (admin: string) => Message },
): Promise<void> {
  if (await isFirst(store, `${about}:log`, TOLD_MS)) log()
  for (const admin of settings.access.admins) {
    const turn = await takeTurnToAct(store, onceKey(`${about}:${admin}`), TOLD_MS)
    if (turn === "acting" || turn === "done") continue
    const refused = await refusalOf(slack.outbound.direct(admin, message(admin)))
    // Only then did it certainly not arrive, and another turn, in half a minute, may help.
    if (refused?.verdict !== "later") await turn.done()
  }
}
