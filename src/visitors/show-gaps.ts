import { offerForm } from "../asking/ask-form.ts"
import { type Told, tell } from "../slack/ephemeral.ts"
import type { Click } from "../slack/payloads.ts"
import type { Gap } from "./gap-kinds.ts"
import { requestFor } from "./gap-prompt.ts"
import {
  gapsMessage,
  gapsShown,
  moreCommentsMessage,
  requestedAlready,
  type ShownGaps,
} from "./gaps-message.ts"
import type { Range } from "./range.ts"
import { readGaps } from "./read-gaps.ts"
import { expired, orTell } from "./report-unavailable.ts"
import { requestedOf } from "./requested-gaps.ts"
import { gapsView } from "./stored-reports.ts"
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
  const list = await listOf(visitors, id, { project, gaps })
  await tell(visitors.context.slack, asker, gapsMessage(report, list))
}

/** Shows further comments of a list. @param value as in the button */
export async function showMoreComments(
  visitors: VisitorsContext,
  asker: Told,
  value: string,
): Promise<void> {
  const [id = "", from] = value.split(".")
  const { slack } = visitors.context
  const view = await visitors.shown.load(gapsView, { user: asker.user }, id)
  if (!view) return tell(slack, asker, expired("list", " gaps"))
  const list = await listOf(visitors, id, view)
  await tell(slack, asker, moreCommentsMessage(list, Number(from), view.range))
}

/** Opens the form with a gap's evidence, unless somebody requested it meanwhile. */
export async function askAboutGap(visitors: VisitorsContext, click: Click): Promise<void> {
  const { context, shown } = visitors
  const { user, channel = "", value } = click
  const [id = "", n] = value.split(".")
  // A list is a person's own, or was posted in a channel.
  const view =
    (await shown.load(gapsView, { user }, id)) ?? (await shown.load(gapsView, { channel }, id))
  const gap = view?.gaps[Number(n)]
  if (!view || !gap) return tell(context.slack, click, expired("list", " gaps"))
  const { project, range } = view
  const list = await listOf(visitors, id, { project, gaps: [gap] })
  const [requested] = list.requested
  if (requested) return tell(context.slack, click, requestedAlready(requested, list.gitHubHost))
  const prompt = { words: requestFor(gap, range) }
  await offerForm(context, click, { project, prompt, gaps: gap.keys })
}

async function listOf(
  { context, requested }: VisitorsContext,
  id: string,
  { project, gaps }: { project: string; gaps: readonly Gap[] },
): Promise<ShownGaps> {
  const { gitHubHost } = context.settings
  return { id, gaps, requested: await requestedOf(context, requested, project, gaps), gitHubHost }
}
