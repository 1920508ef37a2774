import { SlackError } from "../../errors/slack-error.ts"
import { cannotMessageYou } from "../../views/visitors/export.ts"
import {
  gapsCsvMessage,
  gapsCsvSentMessage,
  gapsCsvUnsentMessage,
  gapsExpiredMessage,
  noGapsMessage,
  readingGapsMessage,
} from "../../views/visitors/gap-notices.ts"
import { type GapAction, gapActions, gapsMessage, shownGaps } from "../../views/visitors/gaps.ts"
import {
  cannotShareMessage,
  sharedBeforeMessage,
  sharedMessage,
} from "../../views/visitors/notices.ts"
import { sendGapsCsv } from "../../visitors/gaps/csv.ts"
import type { ShownGaps } from "../../visitors/gaps/ports.ts"
import type { GapQuestion, GapReport } from "../../visitors/gaps/report.ts"
import { requestFor } from "../../visitors/gaps/request.ts"
import { tell } from "../tell.ts"
import type { Asker, GapsDeps } from "./deps.ts"
import { withNotice } from "./show.ts"

/** A control under gaps that was used. */
interface UsedGaps extends Asker {
  action: GapAction
  value: string
}

/** `/docs-visitors gaps`: what readers did not find, privately first. */
export async function showGaps(deps: GapsDeps, asker: Asker, question: GapQuestion): Promise<void> {
  const { shownGaps: shown } = deps
  const notice = () => tell(deps, asker, readingGapsMessage(question.range))
  const report = await withNotice(read(deps, asker, question), notice)
  if (!report) return
  const id = await shown.save({ to: { user: asker.user }, question, gaps: shownGaps(report) })
  await tell(deps, asker, gapsMessage(report, { kind: "private", id }))
}

/** "Share in channel" and the CSV. Acknowledge before: both may read from the service. */
export async function useGaps(deps: GapsDeps, used: UsedGaps): Promise<void> {
  const shown = await deps.shownGaps.load(used.value)
  if (!shown || !("user" in shown.to) || shown.to.user !== used.user)
    return tell(deps, used, gapsExpiredMessage())
  const report = await read(deps, used, shown.question)
  if (!report) return
  if (used.action === gapActions.share) await share(deps, used, report)
  if (used.action === gapActions.csv) await sendCsv(deps, used, report)
}

/**
 * What the form of the docs agent begins with for the gap whose button was pressed.
 * @returns undefined when the gaps are too old, another person's, or of another channel
 */
export async function requestForGap(
  { shownGaps: store }: Pick<GapsDeps, "shownGaps">,
  { user, channel, value }: { user: string; channel: string | undefined; value: string },
): Promise<{ project: string; initial: string } | undefined> {
  const [id = "", n] = value.split(".")
  const shown = await store.load(id)
  const gap = shown && isFor(shown, user, channel) ? shown.gaps[Number(n)] : undefined
  if (!shown || !gap) return undefined
  const { project, range } = shown.question
  return { project, initial: requestFor(gap, range) }
}

function isFor({ to }: ShownGaps, user: string, channel: string | undefined): boolean {
  return "user" in to ? to.user === user : to.channel === channel
}

/** @returns undefined when the person was told why there is no answer */
async function read(
  deps: GapsDeps,
  asker: Asker,
  question: GapQuestion,
): Promise<GapReport | undefined> {
  const answer = await deps.askGaps(question, { kind: "person", user: asker.user })
  if (answer.kind === "answer") return answer.report
  await tell(deps, asker, noGapsMessage(question.range, answer))
  return undefined
}

/** Posts them in the channel, once however often the button is pressed. */
async function share(deps: GapsDeps, used: UsedGaps, report: GapReport): Promise<void> {
  const { outbound, shown, shownGaps: store } = deps
  const { channel, user, value } = used
  if (!(await shown.claimShare(value))) return tell(deps, used, sharedBeforeMessage())
  const { question } = report
  const id = await store.save({ to: { channel }, question, gaps: shownGaps(report) })
  try {
    await outbound.post({ channel }, gapsMessage(report, { kind: "shared", id, by: user }))
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    // Where Slack may have posted it the button stays used: twice in public is worse than asking again.
    if (error.verdict !== "unknown") await shown.releaseShare(value)
    return tell(deps, used, cannotShareMessage(error, channel))
  }
  await tell(deps, used, sharedMessage())
}

/** The file goes to the person's direct messages, as gaps are private until they are shared. */
async function sendCsv(deps: GapsDeps, used: UsedGaps, report: GapReport): Promise<void> {
  const { outbound } = deps
  const { user } = used
  let channel: string
  try {
    channel = (await outbound.direct(user, gapsCsvMessage(report.question.range))).channel
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    return tell(deps, used, cannotMessageYou(error))
  }
  try {
    await sendGapsCsv(outbound, channel, report)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    return tell(deps, used, gapsCsvUnsentMessage(error.code))
  }
  await tell(deps, used, gapsCsvSentMessage())
}
