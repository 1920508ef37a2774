import { type Told, tell } from "../slack/private-answer.ts"
import { type GapSource, readGaps } from "./gaps.ts"
import { gapsMessage, gapsShown, moreCommentsMessage } from "./gaps-message.ts"
import type { Range } from "./range.ts"
import { expired } from "./report-notices.ts"
import { type RequestedDeps, requestedOf } from "./requested-gaps.ts"
import { orTell, type ShowDeps } from "./show-report.ts"

interface ShowGapsDeps extends GapSource, RequestedDeps, Omit<ShowDeps, "readings" | "nameOf"> {
  gitHubHost: string
}

/** Reads, stores and shows what readers did not find. */
export async function showGaps(
  deps: ShowGapsDeps,
  asker: Told,
  { project, range }: { project: string; range: Range },
): Promise<void> {
  const reading = readGaps(deps, asker.user, project, range)
  const report = await orTell(deps, asker, "what readers didn't find", reading)
  if (!report) return
  const gaps = gapsShown(report)
  const id = await deps.shown.save({ user: asker.user }, { project, range, gaps })
  const requested = await requestedOf(deps, project, gaps)
  const { gitHubHost } = deps
  await tell(deps, asker, gapsMessage(report, { id, gaps, requested, gitHubHost }))
}

/** Shows further comments of a list. @param value as in the button */
export async function showMoreComments(
  deps: ShowGapsDeps,
  asker: Told,
  value: string,
): Promise<void> {
  const [id = "", from] = value.split(".")
  const view = await deps.shown.loadGaps(id, { user: asker.user })
  if (!view) return tell(deps, asker, expired("list", " gaps"))
  const { project, range, gaps } = view
  const requested = await requestedOf(deps, project, gaps)
  const shown = { id, gaps, requested, gitHubHost: deps.gitHubHost }
  await tell(deps, asker, moreCommentsMessage(shown, Number(from), range))
}
