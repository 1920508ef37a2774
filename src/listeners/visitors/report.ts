import { orSlackError } from "../../errors/slack-error.ts"
import type { Message } from "../../messages/blocks.ts"
import { cannotPostHere } from "../../messages/refusals.ts"
import { changeMessage } from "../../messages/visitors/changed.ts"
import { rangeTitle } from "../../messages/visitors/format.ts"
import { SHARED_BEFORE, unavailable } from "../../messages/visitors/notices.ts"
import { type Audience, reportMessage } from "../../messages/visitors/report.ts"
import type { IsOwnDirect } from "../../slack/membership.ts"
import type { sendCsv } from "../../visitors/csv.ts"
import { type FallbackLevel, postKindOf, type SendWithFallback } from "../../visitors/fallback.ts"
import type { AskGaps } from "../../visitors/gaps.ts"
import type { AskVisitors, Missing, Question } from "../../visitors/report.ts"
import type { ChannelDeps } from "../../visitors/scheduled-posts.ts"
import type { ReportView, Shown } from "../../visitors/shown.ts"
import { isInOwnDirect, tell } from "../tell.ts"

/** Dependencies of the visitors' listeners. */
export type VisitorsDeps = ChannelDeps &
  Parameters<typeof sendCsv>[0] & {
    isOwnDirect: IsOwnDirect
    ask: AskVisitors
    askGaps: AskGaps
    shown: Shown
    sendWithFallback: SendWithFallback
  }

/** The place somebody asks from, and where they are answered. */
export interface Asker {
  user: string
  team: string
  channel: string
  replyUrl: string | undefined
}

/** An answer that is known, ready to be rendered for anybody. */
interface Rendered {
  /** With the page that is really shown: one past the end shows the last. */
  question: Question
  message: (audience: Audience, level: FallbackLevel) => Message
}

/** Answers one question privately. @param replace puts it in place of the report that was clicked */
export async function show(
  deps: VisitorsDeps,
  asker: Asker,
  { question, view }: ReportView,
  replace = false,
): Promise<void> {
  const result = await render(deps, asker.user, { question, view })
  if ("missing" in result) return tell(deps, asker, unavailable(about(question), result.missing))
  const { user, team } = asker
  const id = await deps.shown.save({ user }, { question: result.question, view })
  const isPrivate = (await isInOwnDirect(deps, asker)) === false
  await deps.sendWithFallback(
    { team, kind: isPrivate ? "ephemeral" : "direct" },
    (level) => result.message({ kind: "private", id }, level),
    (message) => tell(deps, asker, message, replace),
  )
}

/** Reads what a question asks for. */
async function render(
  { ask }: VisitorsDeps,
  user: string,
  { question, view }: ReportView,
): Promise<Rendered | { missing: Missing }> {
  if (view === "changes") {
    const answer = await ask.changed(question, user)
    if ("missing" in answer) return answer
    return { question, message: (audience) => changeMessage(answer.report, audience) }
  }
  const answer = await ask.report(question, user)
  if ("missing" in answer) return answer
  const { report } = answer
  return {
    question: { ...question, page: report.table?.page ?? question.page },
    message: (audience, level) => reportMessage(report, audience, level),
  }
}

/** Posts a private report in its channel, once however often the button is pressed. */
export async function share(
  deps: VisitorsDeps,
  asker: Asker,
  id: string,
  shown: ReportView,
): Promise<void> {
  const { user, team, channel } = asker
  const result = await render(deps, user, shown)
  if ("missing" in result)
    return tell(deps, asker, unavailable(about(shown.question), result.missing))
  if (!(await deps.shown.claimShare(id, user))) return tell(deps, asker, SHARED_BEFORE)
  const refused = await deps
    .sendWithFallback(
      { team, kind: postKindOf(channel) },
      (level) => result.message({ kind: "shared", by: user }, level),
      (message) => deps.outbound.post({ channel }, message),
    )
    .then(() => undefined, orSlackError)
  if (!refused) return
  // The button stays used where Slack may have posted it: twice in public is worse than asking again.
  if (refused.verdict !== "unknown") await deps.shown.releaseShare(id, user)
  const next = { again: "share again", unsure: "ask for a new report" }
  await tell(deps, asker, cannotPostHere(refused, await deps.placeOf(channel), next))
}

function about({ range }: Question): string {
  return `visitors for ${rangeTitle(range)}`
}
