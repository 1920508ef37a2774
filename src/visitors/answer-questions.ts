import { admit } from "../asking/admit.ts"
import { attempt } from "../asking/answer-later.ts"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Log } from "../lib/log.ts"
import type { Pass } from "../lib/loop.ts"
import { cannotPostHere, type PostRefusal } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import { tell } from "../slack/private-answer.ts"
import { orSlackError, refusalOf, SlackError } from "../slack/slack-error.ts"
import { ALERT_REPORT } from "./alert-message.ts"
import { sendCsv } from "./csv-export.ts"
import type { VisitorsDeps } from "./deps.ts"
import { readGaps } from "./gaps.ts"
import { gapsMessage, gapsShown } from "./gaps-message.ts"
import { type FallbackLevel, sendWithFallback } from "./message-fallback.ts"
import { changeMessage } from "./page-changes-message.ts"
import { isTooLate, type Question, type Wanted } from "./questions.ts"
import { isRangeWord, rangeOf } from "./range.ts"
import { rangeTitle } from "./range-words.ts"
import { missingOf, readChanges, readReport, type Selection } from "./report.ts"
import { visitorActions } from "./report-buttons.ts"
import { reportMessage } from "./report-message.ts"
import { expired, NOT_SHARED, SHARED_BEFORE, TOO_LATE, unavailable } from "./report-notices.ts"
import { dayOf } from "./utc-day.ts"

/** Time in ms after which another worker may take over a question; most take less. */
const LEASE_MS = 60_000
/** Names of the loops: several, so that a CSV or a slow question does not delay the others. */
export const ANSWER_LOOPS = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `answers:${n}`)

type AnswerDeps = VisitorsDeps & { log: Log }

export function answerPasses(deps: AnswerDeps, stopping: AbortSignal): Record<string, Pass> {
  const pass = async () => {
    const held = await deps.questions.claim(LEASE_MS)
    if (typeof held === "number") return held
    const { asker, wanted } = held.value
    // A CSV shows its progress and its end in a message of its own.
    const isCsv = wanted.kind === "click" && wanted.action === visitorActions.csv
    await attempt(deps, asker, () => answer(deps, held, stopping), isCsv)
    await deps.questions.settle(held, { due: "never" })
    return 0
  }
  return Object.fromEntries(ANSWER_LOOPS.map((loop) => [loop, pass]))
}

async function answer(deps: AnswerDeps, held: Question, stopping: AbortSignal): Promise<void> {
  const { asker, wanted, progress } = held.value
  if (isTooLate(held) && !progress) return void (await deps.outbound.direct(asker.user, TOO_LATE))
  const entry = await admit(deps, asker)
  if ("refusal" in entry) return tell(deps, asker, entry.refusal)
  switch (wanted.kind) {
    case "report":
      return show(deps, held, wanted.selection)
    case "gaps":
      return showGaps(deps, held, wanted)
    case "click":
      return useControl(deps, held, wanted, stopping)
  }
}

/** Lets only the asker use a private report's controls, and anyone in the channel an alert's. */
async function useControl(
  deps: AnswerDeps,
  held: Question,
  { action, value }: Extract<Wanted, { kind: "click" }>,
  stopping: AbortSignal,
): Promise<void> {
  const { asker } = held.value
  const { user, channel = "" } = asker
  const [id = "", picked = ""] = value.split(".")
  const isAlert = action === ALERT_REPORT
  const selection = await deps.shown.loadReport(id, isAlert ? { channel } : { user })
  if (!selection) return tell(deps, asker, expired("report", isAlert ? " &lt;date&gt;" : ""))
  switch (action) {
    case ALERT_REPORT:
      return show(deps, held, selection)
    case visitorActions.share:
      return share(deps, held, id, selection)
    case visitorActions.csv:
      return sendCsv(deps, held, selection, stopping)
    case visitorActions.changed:
      return showChanges(deps, held, id, selection)
    default: {
      const asked = selectionAfter(action, picked, selection, dayOf(await deps.now()))
      return show(deps, held, asked, true)
    }
  }
}

function selectionAfter(action: string, picked: string, selection: Selection, today: string) {
  const { page } = selection
  if (action === visitorActions.previous) return { ...selection, page: Math.max(1, page - 1) }
  if (action === visitorActions.next) return { ...selection, page: page + 1 }
  return isRangeWord(picked) ? { ...selection, range: rangeOf(picked, today), page: 1 } : selection
}

/** Resolves to a reading, or to undefined if the person was told why not or the lease was lost. */
async function orTell<T>(deps: AnswerDeps, held: Question, what: string, reading: Promise<T>) {
  const found = await reading.catch(orDocsError)
  if (!(await deps.questions.begin(held))) return undefined
  if (!(found instanceof DocsError)) return found
  const missing = missingOf(found, await deps.now())
  await tell(deps, held.value.asker, unavailable(what, missing, deps.admins))
  return undefined
}

/** Reads, stores and shows a report. @param replace whether to replace the clicked one */
async function show(deps: AnswerDeps, held: Question, selection: Selection, replace = false) {
  const { asker } = held.value
  const reading = readReport(deps, selection, asker.user)
  const report = await orTell(deps, held, visitorsOf(selection), reading)
  if (!report) return
  const id = await deps.shown.save({ user: asker.user }, report.selection)
  const isDirect = asker.channel?.startsWith("D") === true
  await sendWithFallback(
    (level) => reportMessage(report, { kind: "private", id, isDirect }, level),
    (message) => tell(deps, asker, message, replace),
  )
}

/** Shows what changed in place of the report that has this id, to which a button leads back. */
async function showChanges(deps: AnswerDeps, held: Question, id: string, selection: Selection) {
  const { asker } = held.value
  const reading = readChanges(deps, selection, asker.user)
  const changes = await orTell(deps, held, visitorsOf(selection), reading)
  if (changes) await tell(deps, asker, changeMessage(changes, id), true)
}

const visitorsOf = ({ range }: Selection) => `visitors for ${rangeTitle(range)}`

/** Posts a private report in its channel once, however often people press the button. */
async function share(deps: AnswerDeps, held: Question, id: string, selection: Selection) {
  const { outbound, shown } = deps
  const { asker, begun: isRepeat = false } = held.value
  const { user, channel = "" } = asker
  const report = await orTell(deps, held, visitorsOf(selection), readReport(deps, selection, user))
  if (!report) return
  const key = { job: id, part: "share" }
  // After an interrupted attempt, the bot posts only if Slack certainly has no such post.
  const found = isRepeat ? await outbound.find({ channel }, key).catch(orSlackError) : "absent"
  const tellRefused = async (refused: PostRefusal) =>
    tell(deps, asker, cannotPostHere(refused, await deps.channelFacts(channel), NOT_SHARED))
  if (found instanceof SlackError) return tellRefused({ code: found.code, verdict: "unknown" })
  if (found !== "absent") return
  if (!(await shown.claimShare(id, user, held.id))) return tell(deps, asker, SHARED_BEFORE)
  const message = (level: FallbackLevel) =>
    reportMessage(report, { kind: "shared", by: user }, level)
  const post = (words: Message) => outbound.post({ channel }, words, key)
  const refused = await refusalOf(sendWithFallback(message, post))
  if (!refused) return
  // If Slack may have posted it, the button stays used: a double public post is worse.
  if (refused.verdict !== "unknown") await shown.releaseShare(id, user, held.id)
  await tellRefused(refused)
}

async function showGaps(
  deps: AnswerDeps,
  held: Question,
  { project, range }: Pick<Selection, "project" | "range">,
) {
  const { asker } = held.value
  const reading = readGaps(deps, asker.user, project, range)
  const report = await orTell(deps, held, "what readers didn't find", reading)
  if (!report) return
  const gaps = gapsShown(report)
  const id = await deps.shown.save({ user: asker.user }, { project, range, gaps })
  await tell(deps, asker, gapsMessage(report, id))
}
