import { SlackError } from "../../errors/slack-error.ts"
import type { PlaceOf } from "../../messages/refusals.ts"
import { changeMessage } from "../../messages/visitors/changed.ts"
import { readValue, type VisitorAction, visitorActions } from "../../messages/visitors/controls.ts"
import { rangeTitle } from "../../messages/visitors/format.ts"
import { cannotShare, expired, sharedBefore, unavailable } from "../../messages/visitors/notices.ts"
import { type Audience, reportMessage } from "../../messages/visitors/report.ts"
import type { Message } from "../../ports/message.ts"
import type { IsOwnDirect, Outbound } from "../../ports/outbound.ts"
import type { Clock } from "../../runtime/time.ts"
import { startCsv } from "../../visitors/csv.ts"
import type { CsvExports } from "../../visitors/csv-exports.ts"
import { dayOf } from "../../visitors/day.ts"
import { type FallbackLevel, postKindOf, sendWithFallback } from "../../visitors/fallback.ts"
import type { AskGaps } from "../../visitors/gaps.ts"
import { isFault, isRangeWord, parseRange } from "../../visitors/range.ts"
import type { AskVisitors, Missing, Question } from "../../visitors/report.ts"
import type { ScheduledPosts } from "../../visitors/scheduled-posts.ts"
import type { FallbackMemory, ReportView, Shown } from "../../visitors/shown.ts"
import { isInOwnDirect, tell } from "../tell.ts"

/** Dependencies of the visitors' listeners. */
export interface VisitorsDeps {
  outbound: Outbound
  isOwnDirect: IsOwnDirect
  ask: AskVisitors
  askGaps: AskGaps
  shown: Shown
  fallbackMemory: FallbackMemory
  posts: ScheduledPosts
  exports: CsvExports
  now: Clock
  nameOf: (project: string) => string
  placeOf: PlaceOf
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
  const id = await deps.shown.saveReport({ user }, { question: result.question, view })
  const isPrivate = (await isInOwnDirect(deps, asker)) === false
  await sendWithFallback(
    deps.fallbackMemory,
    { team, kind: isPrivate ? "ephemeral" : "direct" },
    (level) => result.message({ kind: "private", id }, level),
    (message) => tell(deps, asker, message, replace),
  )
}

/** Reads what a question asks for. */
async function render(
  { ask }: Pick<VisitorsDeps, "ask">,
  user: string,
  { question, view }: ReportView,
): Promise<Rendered | { missing: Missing }> {
  if (view === "changes") {
    const answer = await ask.changed(question, user)
    if (answer.kind === "unavailable") return { missing: answer.why }
    return { question, message: (audience) => changeMessage(answer.report, audience) }
  }
  const answer = await ask.report(question, user)
  if (answer.kind === "unavailable") return { missing: answer.why }
  const { report } = answer
  const page = report.table.known ? report.table.value.page : question.page
  return {
    question: { ...question, page },
    message: (audience, level) => reportMessage(report, audience, level),
  }
}

/**
 * Every control under a private report. Acknowledge before calling: some of these read from the service.
 * A report belongs to the person who asked for it.
 */
export async function useReportControl(
  deps: VisitorsDeps,
  asker: Asker,
  action: VisitorAction,
  value: string,
): Promise<void> {
  const { id, picked } = readValue(value)
  const { user } = asker
  const shown = await deps.shown.loadReport(id, { user })
  if (!shown) return tell(deps, asker, expired("report", ""))
  if (action === visitorActions.share) return share(deps, asker, id, shown)
  if (action === visitorActions.csv)
    return tell(deps, asker, await startCsv(deps, user, shown.question))
  const question = questionAfter(action, picked, shown.question, dayOf(await deps.now()))
  const view = action === visitorActions.changed ? "changes" : "report"
  if (question) await show(deps, asker, { question, view }, true)
}

/** The question that a control leads to, or undefined if the value isn't one of ours. */
function questionAfter(
  action: VisitorAction,
  picked: string,
  question: Question,
  today: string,
): Question | undefined {
  if (action === visitorActions.previous)
    return { ...question, page: Math.max(1, question.page - 1) }
  if (action === visitorActions.next) return { ...question, page: question.page + 1 }
  if (action !== visitorActions.range) return question
  const range = isRangeWord(picked) ? parseRange(picked, today) : undefined
  return range === undefined || isFault(range) ? undefined : { ...question, range, page: 1 }
}

/** Posts a private report in its channel, once however often the button is pressed. */
async function share(
  deps: VisitorsDeps,
  asker: Asker,
  id: string,
  shown: ReportView,
): Promise<void> {
  const { user, team, channel } = asker
  const result = await render(deps, user, shown)
  if ("missing" in result)
    return tell(deps, asker, unavailable(about(shown.question), result.missing))
  if (!(await deps.shown.claimShare(id, user))) return tell(deps, asker, sharedBefore())
  try {
    await sendWithFallback(
      deps.fallbackMemory,
      { team, kind: postKindOf(channel) },
      (level) => result.message({ kind: "shared", by: user }, level),
      (message) => deps.outbound.post({ channel }, message),
    )
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    // The button stays used where Slack may have posted it: twice in public is worse than asking again.
    if (error.verdict !== "unknown") await deps.shown.releaseShare(id, user)
    await tell(deps, asker, cannotShare(error, await deps.placeOf(channel)))
  }
}

function about({ range }: Question): string {
  return `visitors for ${rangeTitle(range)}`
}
