import { channelFacts } from "../asking/channel-facts.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
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
  const { user } = asker
  // Everybody gets the top pages, whichever page was in sight.
  const reading = readReport(visitors, { ...selection, page: 1 }, user)
  const report = await orTell(visitors.context, asker, visitorsOf(selection), reading)
  if (!report) return
  await shareOnce(visitors, asker, id, (level) =>
    reportMessage(report, { kind: "shared", by: user }, level),
  )
}

/** Posts in a person's channel what they were shown under this id. A second click posts nothing. */
export async function shareOnce(
  { context, shown }: Pick<VisitorsContext, "context" | "shown">,
  asker: Told,
  id: string,
  message: (level: FallbackLevel) => Message,
): Promise<void> {
  const { slack } = context
  const { user, channel = "" } = asker
  const turn = await shown.turnToShare(id, user)
  if (turn === "acting" || turn === "done") return tell(slack, asker, SHARED_BEFORE)
  const posting = sendWithFallback(message, (words) => slack.outbound.post({ channel }, words))
  const refused = await refusalOf(posting)
  // If Slack may have posted it, the button stays used: a double public post is worse.
  await (refused && refused.verdict !== "unknown" ? turn.failed() : turn.done())
  if (!refused) return
  const facts = await channelFacts(context, channel)
  await tell(slack, asker, cannotPostHere(refused, facts, NOT_SHARED))
}
