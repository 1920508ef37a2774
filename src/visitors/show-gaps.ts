import { type Told, tell } from "../slack/private-answer.ts"
import { type GapSource, readGaps } from "./gaps.ts"
import { gapsMessage, gapsShown } from "./gaps-message.ts"
import type { Range } from "./range.ts"
import { orTell, type ShowDeps } from "./show-report.ts"

type ShowGapsDeps = GapSource & Omit<ShowDeps, "readings">

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
  await tell(deps, asker, gapsMessage(report, id))
}
