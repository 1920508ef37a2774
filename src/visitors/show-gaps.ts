import { admitted } from "../asking/access-rules.ts"
import { offerForm } from "../asking/ask-form.ts"
import type { Clicks } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import type { Message } from "../slack/message-types.ts"
import type { Click } from "../slack/payloads.ts"
import type { Gap } from "./gap-kinds.ts"
import { requestFor } from "./gap-prompt.ts"
import {
  GAP_ASK,
  GAPS_MORE,
  gapsMessage,
  gapsShown,
  moreCommentsMessage,
  requestedAlready,
  type ShownGaps,
} from "./gaps-message.ts"
import type { Range } from "./range.ts"
import { readGaps } from "./read-gaps.ts"
import type { VisitorsContext } from "./read-visitors.ts"
import { expired, orNotLoaded } from "./report-unavailable.ts"
import { requestedOf } from "./requested-gaps.ts"
import { gapsView, loadShown, saveShown } from "./stored-reports.ts"

const GAPS_EXPIRED = expired("list", "/docs-visitors gaps")

export function showGaps(
  visitors: VisitorsContext,
  user: string,
  { project, range }: { project: string; range: Range },
): Promise<Message | undefined> {
  const { context } = visitors
  return orNotLoaded(context, "what readers didn't find", async () => {
    const report = await readGaps(visitors, { reader: user, project, range })
    const gaps = gapsShown(report)
    const id = await saveShown(context.store, { user }, { project, range, gaps })
    return gapsMessage(report, await listOf(context, id, project, gaps))
  })
}

/** Buttons of a list of gaps, by `action_id`. */
export const gapClicks: Clicks<VisitorsContext> = {
  [GAPS_MORE]: admitted(async ({ context }, click) => {
    return { work: () => showMoreComments(context, click) }
  }),
  [GAP_ASK]: admitted(async ({ context }, click) => ({ work: () => askAboutGap(context, click) })),
}

async function showMoreComments(
  context: Context,
  { user, value }: Click,
): Promise<Message | undefined> {
  const [id = "", from] = value.split(".")
  const view = await loadShown(context.store, gapsView, { user }, id)
  if (!view) return GAPS_EXPIRED
  const list = await listOf(context, id, view.project, view.gaps)
  return moreCommentsMessage(list, Number(from), view.range)
}

/** Opens the form with a gap's evidence, unless somebody requested it meanwhile. */
async function askAboutGap(context: Context, click: Click): Promise<Message | undefined> {
  const { store } = context
  const { user, channel = "", value } = click
  const [id = "", n] = value.split(".")
  // A list is a person's own, or was posted in a channel.
  const view =
    (await loadShown(store, gapsView, { user }, id)) ??
    (await loadShown(store, gapsView, { channel }, id))
  const gap = view?.gaps[Number(n)]
  if (!view || !gap) return GAPS_EXPIRED
  const { project, range } = view
  const [requested] = await requestedOf(context, project, [gap])
  if (requested) return requestedAlready(requested, context.settings.gitHubHost)
  const prompt = { words: requestFor(gap, range) }
  await offerForm(context, click, { project, prompt, gaps: gap.keys })
  return undefined
}

async function listOf(
  context: Context,
  id: string,
  project: string,
  gaps: readonly Gap[],
): Promise<ShownGaps> {
  const requested = await requestedOf(context, project, gaps)
  return { id, gaps, requested, gitHubHost: context.settings.gitHubHost }
}
