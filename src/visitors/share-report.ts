import { channelFacts } from "../asking/channel-facts.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import { type Told, tell } from "../slack/private-answer.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { type FallbackLevel, sendWithFallback } from "./message-fallback.ts"
import { readReport } from "./report.ts"
import { reportMessage } from "./report-message.ts"
import { NOT_SHARED, SHARED_BEFORE } from "./report-notices.ts"
import type { Selection } from "./selection.ts"
import { orTell, visitorsOf } from "./show-report.ts"
import type { VisitorsContext } from "./visitors-context.ts"

/** Posts a private report in its channel once, however often people press the button. */
export async function shareReport(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  id: string,
): Promise<void> {
  const { context, shown } = visitors
  const { slack } = context
  const { user, channel = "" } = asker
  // Everybody gets the top pages, whichever page was in sight.
  const reading = readReport(visitors, { ...selection, page: 1 }, user)
  const report = await orTell(context, asker, visitorsOf(selection), reading)
  if (!report) return
  const turn = await shown.turnToShare(id, user)
  if (turn === "acting" || turn === "done") return tell(slack, asker, SHARED_BEFORE)
  const message = (level: FallbackLevel) =>
    reportMessage(report, { kind: "shared", by: user }, level)
  const posting = sendWithFallback(message, (words) => slack.outbound.post({ channel }, words))
  const refused = await refusalOf(posting)
  // If Slack may have posted it, the button stays used: a double public post is worse.
  await (refused && refused.verdict !== "unknown" ? turn.failed() : turn.done())
  if (!refused) return
  await tell(
    slack,
    asker,
    cannotPostHere(refused, await channelFacts(context, channel), NOT_SHARED),
  )
}
