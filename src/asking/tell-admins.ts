import type { Context } from "../jobs/context.ts"
import { DAY_MS } from "../lib/time.ts"
import { adminMessage, type Notice, operatorLine } from "../messages/admin-notices.ts"
import { FAULTS } from "../messages/fault-words.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { claimAct, isFirst, onceKey } from "../store/claims.ts"

/** Time in ms before the bot repeats a notice, because admins still remember the problem. */
const TOLD_MS = 30 * DAY_MS

/** Tells the log and each admin of a notice, unless they have heard of it. */
export async function tellOnce(
  { store, slack, settings, log }: Context,
  notice: Notice,
): Promise<void> {
  const { fault } = notice
  const { admins } = settings.access
  const told = `told:${notice.about}`
  if (await isFirst(store, `${told}:log`, TOLD_MS))
    log[FAULTS[fault].isWarning ? "warn" : "error"]({ reason: fault }, operatorLine(notice))
  for (const admin of admins) {
    const claim = await claimAct(store, onceKey(`${told}:${admin}`), TOLD_MS)
    if (claim === "acting" || claim === "done") continue
    const refused = await refusalOf(
      slack.outbound.direct(admin, adminMessage(notice, admins, admin)),
    )
    // Only then did it certainly not arrive, and another claim, in half a minute, may help.
    if (refused?.verdict !== "later") await claim.done()
  }
}
