import { SlackError } from "../../errors/slack-error.ts"
import {
  cannotShareMessage,
  sharedBeforeMessage,
  sharedMessage,
  unavailableMessage,
} from "../../views/visitors/notices.ts"
import { postKindOf, sendWithFallback } from "../../visitors/fallback.ts"
import { tell } from "../tell.ts"
import type { UsedOn, VisitorsDeps } from "./deps.ts"
import { render } from "./show.ts"

/** Posts a private report in its channel, once however often the button is pressed. */
export async function share(deps: VisitorsDeps, used: UsedOn): Promise<void> {
  const { outbound, shown } = deps
  const { question, view } = used.report
  const result = await render(deps, used.user, question, view)
  if ("unavailable" in result) {
    const words = unavailableMessage(question.range, result.unavailable)
    return tell(deps, used, words)
  }
  if (!(await shown.claimShare(used.id))) return tell(deps, used, sharedBeforeMessage())
  try {
    await sendWithFallback(
      deps.fallbackMemory,
      { team: used.team, kind: postKindOf(used.channel) },
      (level) => result.message({ kind: "shared", by: used.user }, level),
      (message) => outbound.post({ channel: used.channel }, message),
    )
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    // Where Slack may have posted it the button stays used: twice in public is worse than asking again.
    if (error.verdict !== "unknown") await shown.releaseShare(used.id)
    return tell(deps, used, cannotShareMessage(error, used.channel))
  }
  await tell(deps, used, sharedMessage())
}
