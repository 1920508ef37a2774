import type { Context } from "../jobs/context.ts"
import type { Message } from "../slack/message.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { extendClaim, isFirst } from "../store/claims.ts"

/** Time in ms before the bot repeats a notice, because admins still remember the problem. */
const TOLD_MS = 30 * 86_400_000

/** Time in ms after which a pass may retry a notice, if a process died or Slack was unreachable. */
const CLAIMED_MS = 60_000

export async function tellOnce(
  { store, slack, settings }: Context,
  about: string,
  { log, message }: { log: () => void; message: (admin: string) => Message },
): Promise<void> {
  if (await isFirst(store, `${about}:log`, TOLD_MS)) log()
  for (const admin of settings.access.admins) {
    const task = `${about}:${admin}`
    if (!(await isFirst(store, task, CLAIMED_MS))) continue
    const refused = await refusalOf(slack.outbound.direct(admin, message(admin)))
    // Only then did it certainly not arrive, and a retry may help.
    if (refused?.verdict !== "later") await extendClaim(store, task, TOLD_MS)
  }
}
