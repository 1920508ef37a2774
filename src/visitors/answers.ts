import type { Profile } from "../access/rules.ts"
import { orSlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import { ALERT_REPORT } from "../messages/visitors/alerts.ts"
import { changeMessage } from "../messages/visitors/changed.ts"
import { type VisitorAction, visitorActions } from "../messages/visitors/controls.ts"
import * as csv from "../messages/visitors/csv.ts"
import { rangeTitle } from "../messages/visitors/format.ts"
import { gapsMessage, gapsShown } from "../messages/visitors/gaps.ts"
import { expired, SHARED_BEFORE, TOO_LATE, unavailable } from "../messages/visitors/notices.ts"
import { type Audience, reportMessage } from "../messages/visitors/report.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { Pass } from "../runtime/loop.ts"
import { type CsvDeps, sendCsv } from "./csv.ts"
import { dayOf } from "./day.ts"
import { type FallbackLevel, postKindOf, type SendWithFallback } from "./fallback.ts"
import { type GapRequestDeps, requestAbout } from "./gap-requests.ts"
import type { AskGaps } from "./gaps.ts"
import type { Asker, Inquiry } from "./questions.ts"
import { isFault, isRangeWord, parseRange, type Range } from "./range.ts"
import type { AskVisitors, Missing, Question } from "./report.ts"
import type { ChannelDeps } from "./scheduled-posts.ts"
import type { ReportView, Shown } from "./shown.ts"

/** Reading and answering usually take less than this, ms; after it, another worker may take the question over. */
const LEASE_MS = 60_000
/** Slack accepts the response_url for this long, and a person waits no longer, ms. */
const TOO_LATE_MS = 30 * 60_000
/** The names of the loops that answer; there are several, so that a slow question does not delay the others. */
export const ANSWERS = [1, 2, 3, 4, 5, 6].map((n) => `answers:${n}`)
export const EXPORTS = [1, 2].map((n) => `exports:${n}`)

interface AnswerDeps extends CsvDeps, ChannelDeps, GapRequestDeps {
  ask: AskVisitors
  askGaps: AskGaps
  shown: Shown
  sendWithFallback: SendWithFallback
  /** Answers privately in the place of the question. @param replace replaces the clicked message */
  tell: (to: Asker, message: Message, replace?: boolean) => Promise<void>
  /** Returns whether an answer in that place is an ephemeral message. */
  isEphemeral: (to: Asker) => Promise<boolean>
  admit: (who: Asker) => Promise<{ profile: Profile } | { refusal: Message }>
  /** Runs work for a person and tells them if it fails or, unless `unasked`, takes long. */
  attempt: (who: Asker, work: () => Promise<void>, unasked: boolean) => Promise<void>
}

/** Makes the passes that answer people's questions about visitors. */
export function answerPasses(deps: AnswerDeps, stopping: AbortSignal): Record<string, Pass> {
  const passOf = (name: "answers" | "exports") => async () => {
    const held = await deps.questions.lanes[name].claim(LEASE_MS)
    if (!held) return UNTIL_WOKEN
    const work = () => answer(deps, held, stopping)
    await deps.attempt(held.record.asker, work, name === "exports")
    await deps.questions.end(held)
    return 0
  }
  const loops = ANSWERS.map((loop): [string, Pass] => [loop, passOf("answers")])
  return Object.fromEntries([...loops, ...EXPORTS.map((loop) => [loop, passOf("exports")])])
}

async function answer(deps: AnswerDeps, held: Inquiry, stopping: AbortSignal): Promise<void> {
  const { asker: from, wanted, asked, line } = held.record
  if (held.at - asked > TOO_LATE_MS) {
    if (wanted.kind !== "csv" || !line)
      return void (await deps.outbound.direct(from.user, TOO_LATE))
    const { question } = wanted
    const failed = csv.csvFailed(deps.nameOf(question.project), question, { fault: "restarted" })
    return deps.outbound.update(line, failed)
  }
  const entry = await deps.admit(from)
  if ("refusal" in entry) return deps.tell(from, entry.refusal)
  const asker = { ...from, team: from.team ?? entry.profile.team }
  switch (wanted.kind) {
    case "report":
      return show(deps, held, asker, { question: wanted.question, view: "report" })
    case "gaps":
      return showGaps(deps, held, asker, wanted)
    case "csv":
      return sendCsv(deps, held, wanted.question, stopping)
    case "click":
      return useControl(deps, held, asker, wanted)
  }
}

type Who = Asker & { team: string }

/**
 * Handles a control. Below a private report only the person who asked may use it, below an alert
 * everybody in the channel.
 */
async function useControl(
  deps: AnswerDeps,
  held: Inquiry,
  asker: Who,
  { action, value }: { action: string; value: string },
): Promise<void> {
  const [id = "", picked = ""] = value.split(".")
  const { user, channel = "" } = asker
  const isAlert = action === ALERT_REPORT
  const shown = await deps.shown.loadReport(id, isAlert ? { channel } : { user })
  if (!shown) return deps.tell(asker, expired("report", isAlert ? " yesterday" : ""))
  if (isAlert) return show(deps, held, asker, shown)
  if (action === visitorActions.share) return share(deps, held, asker, id, shown)
  if (action === visitorActions.csv) return askForCsv(deps, held, shown.question)
  const today = dayOf(await deps.now())
  const question = questionAfter(action as VisitorAction, picked, shown.question, today)
  const view = action === visitorActions.changed ? "changes" : "report"
  if (question) await show(deps, held, asker, { question, view }, true)
}

/** Returns the question that a control asks, or undefined if the bot never sent its value. */
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

/** Starts a CSV export. Ignores further clicks by the same person until they have the file. */
async function askForCsv(deps: AnswerDeps, held: Inquiry, question: Question): Promise<void> {
  const { asker } = held.record
  const { project, range, filter = "" } = question
  const name = JSON.stringify([project, range.from, range.to, filter])
  const isNew = await deps.questions.add(asker, { kind: "csv", question }, name, held.at)
  if (!isNew) await deps.tell(asker, csv.CSV_ON_ITS_WAY)
}

/** An answer that is ready to be rendered for anybody. */
interface Rendered {
  /** The question with the page that is really shown; a page past the end becomes the last one. */
  question: Question
  message: (audience: Audience, level: FallbackLevel) => Message
}

/** Reads what a question asks for, and returns how to render it. */
async function render(
  { ask }: AnswerDeps,
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

/** Answers one question privately. @param replace replaces the clicked report with the answer */
async function show(
  deps: AnswerDeps,
  held: Inquiry,
  asker: Who,
  { question, view }: ReportView,
  replace = false,
): Promise<void> {
  const { user, team } = asker
  const result = await render(deps, user, { question, view })
  if (!(await deps.questions.begin(held))) return
  if ("missing" in result) return deps.tell(asker, unavailable(about(question), result.missing))
  const id = await deps.shown.save({ user }, { question: result.question, view })
  await deps.sendWithFallback(
    { team, kind: (await deps.isEphemeral(asker)) ? "ephemeral" : "direct" },
    (level) => result.message({ kind: "private", id }, level),
    (message) => deps.tell(asker, message, replace),
  )
}

/** Posts a private report in its channel once, however often people press the button. */
async function share(
  deps: AnswerDeps,
  held: Inquiry,
  asker: Who,
  id: string,
  shown: ReportView,
): Promise<void> {
  const { user, team, channel = "" } = asker
  const result = await render(deps, user, shown)
  if ("missing" in result)
    return deps.tell(asker, unavailable(about(shown.question), result.missing))
  const key = { job: id, part: "share" }
  const { begun: isRepeat = false } = held.record
  // A worker died while it posted the report. Only if Slack certainly has no such post does the bot
  // post it again.
  if (isRepeat && (await deps.outbound.find({ channel }, key).catch(orSlackError)) !== "absent")
    return
  if (!(await deps.questions.begin(held))) return
  if (!(await deps.shown.claimShare(id, user)) && !isRepeat) return deps.tell(asker, SHARED_BEFORE)
  const refused = await deps
    .sendWithFallback(
      { team, kind: postKindOf(channel) },
      (level) => result.message({ kind: "shared", by: user }, level),
      (message) => deps.outbound.post({ channel }, message, key),
    )
    .then(() => undefined, orSlackError)
  if (!refused) return
  // If Slack may have posted the report, the button stays used: a double public post is worse than
  // asking again.
  if (refused.verdict !== "unknown") await deps.shown.releaseShare(id, user)
  const next = { again: "share again", unsure: "ask for a new report" }
  await deps.tell(asker, cannotPostHere(refused, await deps.placeOf(channel), next))
}

function about({ range }: Question): string {
  return `visitors for ${rangeTitle(range)}`
}

/** Answers privately what readers did not find. */
async function showGaps(
  deps: AnswerDeps,
  held: Inquiry,
  asker: Who,
  { project, range }: { project: string; range: Range },
): Promise<void> {
  const { user } = asker
  const read = await deps.askGaps(user, project, range)
  if (!(await deps.questions.begin(held))) return
  if ("missing" in read) return deps.tell(asker, unavailable("gaps", read.missing))
  const { report } = read
  const gaps = gapsShown(report)
  const requests = await Promise.all(gaps.map((gap) => requestAbout(deps, project, gap)))
  const id = await deps.shown.save({ user }, { project, range, gaps })
  await deps.tell(asker, gapsMessage(report, id, requests))
}
