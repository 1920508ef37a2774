import { offerForm } from "../asking/ask-form.ts"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Message } from "../slack/message-types.ts"
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
import { expired, notLoaded } from "./report-unavailable.ts"
import { requestedOf } from "./requested-gaps.ts"
import { gapsView } from "./stored-reports.ts"
import type { VisitorsContext } from "./visitors-context.ts"

const GAPS_EXPIRED = expired("list", "/docs-visitors gaps")

/** Reads and stores what readers did not find, and writes the answer. */
export async function showGaps(
  visitors: VisitorsContext,
  user: string,
  { project, range }: { project: string; range: Range },
): Promise<Message> {
  const report = await readGaps(visitors, { reader: user, project, range }).catch(orDocsError)
  if (report instanceof DocsError)
    return notLoaded(visitors.context, "what readers didn't find", report)
  const gaps = gapsShown(report)
  const id = await visitors.shown.save({ user }, { project, range, gaps })
  return gapsMessage(report, await listOf(visitors, id, { project, gaps }))
}

/** Shows further comments of a list. */
export async function showMoreComments(
  visitors: VisitorsContext,
  { user, value }: Click,
): Promise<Message> {
  const [id = "", from] = value.split(".")
  const view = await visitors.shown.load(gapsView, { user }, id)
  if (!view) return GAPS_EXPIRED
  return moreCommentsMessage(await listOf(visitors, id, view), Number(from), view.range)
}

/** Opens the form with a gap's evidence, unless somebody requested it meanwhile. */
export async function askAboutGap(
  visitors: VisitorsContext,
  click: Click,
): Promise<Message | undefined> {
  const { context, shown } = visitors
  const { user, channel = "", value } = click
  const [id = "", n] = value.split(".")
  // A list is a person's own, or was posted in a channel.
  const view =
    (await shown.load(gapsView, { user }, id)) ?? (await shown.load(gapsView, { channel }, id))
  const gap = view?.gaps[Number(n)]
  if (!view || !gap) return GAPS_EXPIRED
  const { project, range } = view
  const list = await listOf(visitors, id, { project, gaps: [gap] })
  const [requested] = list.requested
  if (requested) return requestedAlready(requested, list.gitHubHost)
  const prompt = { words: requestFor(gap, range) }
  await offerForm(context, click, { project, prompt, gaps: gap.keys })
  return undefined
}

async function listOf(
  { context, requested }: VisitorsContext,
  id: string,
  { project, gaps }: { project: string; gaps: readonly Gap[] },
): Promise<ShownGaps> {
  const { gitHubHost } = context.settings
  return { id, gaps, requested: await requestedOf(context, requested, project, gaps), gitHubHost }
}
