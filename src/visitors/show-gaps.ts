import { type Told, tell } from "../slack/private-answer.ts"
import { gapsMessage, gapsShown, moreCommentsMessage } from "./gaps-message.ts"
import type { Range } from "./range.ts"
import { readGaps } from "./read-gaps.ts"
import { expired } from "./report-notices.ts"
import { requestedOf } from "./requested-gaps.ts"
import { orTell } from "./show-report.ts"
import type { VisitorsContext } from "./visitors-context.ts"

/** Reads, stores and shows what readers did not find. */
export async function showGaps(
  visitors: VisitorsContext,
  asker: Told,
  { project, range }: { project: string; range: Range },
): Promise<void> {
  const reading = readGaps(visitors, asker.user, project, range)
  const report = await orTell(visitors.context, asker, "what readers didn't find", reading)
  if (!report) return
  const gaps = gapsShown(report)
  const id = await visitors.shown.save({ user: asker.user }, { project, range, gaps })
  const requested = await requestedOf(visitors.context, visitors.requested, project, gaps)
  const { slack, settings } = visitors.context
  await tell(
    slack,
    asker,
    gapsMessage(report, { id, gaps, requested, gitHubHost: settings.gitHubHost }),
  )
}

/** Shows further comments of a list. @param value as in the button */
export async function showMoreComments(
  visitors: VisitorsContext,
  asker: Told,
  value: string,
): Promise<void> {
  const [id = "", from] = value.split(".")
  const { slack, settings } = visitors.context
  const view = await visitors.shown.loadGaps(id, { user: asker.user })
  if (!view) return tell(slack, asker, expired("list", " gaps"))
  const { project, range, gaps } = view
  const requested = await requestedOf(visitors.context, visitors.requested, project, gaps)
  const shown = { id, gaps, requested, gitHubHost: settings.gitHubHost }
  await tell(slack, asker, moreCommentsMessage(shown, Number(from), range))
}
