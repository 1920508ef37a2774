import { moveOut } from "../asking/follow-ups.ts"
import { giveUpStarting, prepareAsks } from "../asking/prepare-request.ts"
import { markTold, tellNoCard } from "../asking/tell-requesters.ts"
import { nextRound } from "../jobs/begin-round.ts"
import type { Context } from "../jobs/context.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { firstWords, roundWords, shownAsks } from "../jobs/request-record.ts"
import { currentRound, firstAsk, followUpsShown, recipientsOf } from "../jobs/rounds.ts"
import type { Stop } from "../lib/loop.ts"
import { raceAbort } from "../lib/time.ts"
import { placeIfWaiting } from "../limit/queue-positions.ts"
import { jobCard } from "../messages/card.ts"
import { resultReply } from "../messages/closing-reply.ts"
import { BROKEN_HERE } from "../messages/refused-requests.ts"
import type { Message } from "../slack/message-types.ts"
import { takeTurn } from "../slack/rate-limits.ts"
import { orSlackError, SlackError } from "../slack/slack-error.ts"
import { type Drawn, nextStep, type StepName, stepBeforeEdits } from "./choose-action.ts"
import { compareCard, giveUpComparing } from "./compare-card.ts"
import {
  editCard,
  editReply,
  MAX_FAILURES,
  NOTHING_IN_DOUBT,
  postCard,
  postReply,
  type Step,
} from "./post-and-edit.ts"
import { settleReviewPost, tellEnd, tellReview } from "./pull-request-news.ts"

const BATCH = 20
/** Maximum delay in ms before a failed write is tried again; it doubles up to here. */
const LONGEST_TRY_MS = 15 * 60_000

const STEPS: Readonly<Record<Exclude<StepName, "none">, Step>> = {
  prepare: { take: prepareAsks, onRefusal: giveUpStarting },
  compare: {
    take: (context, held, { card }) => compareCard(context, held, card),
    onRefusal: giveUpComparing,
  },
  next_round: { take: beginWaiting, onRefusal: giveUpStarting },
  private: { take: tellNoCard, onRefusal: markTold },
  card: postCard,
  result: postReply,
  review: tellReview,
  end: tellEnd,
  settle_review: settleReviewPost,
  edit: editCard,
  edit_result: editReply,
}

export async function deliveryPass(context: Context, { forceStop }: Pick<Stop, "forceStop">) {
  const { jobs } = context
  const { timing } = context.settings
  const crowd: Crowd = new Map()
  return jobs.eachDue("outbox", { limit: BATCH, leaseMs: timing.leaseMs }, async (held) => {
    const delivering = deliver(context, held, crowd).catch((error: unknown) =>
      afterFailure(context, held, error),
    )
    // The interrupted call may still post, so the next process looks for the message first.
    return raceAbort(delivering, forceStop, timing.tries.lookUpAgainMs)
  })
}

/** Number of a pass's jobs that wait for each of Slack's limits. */
type Crowd = Map<string, number>

async function deliver(context: Context, held: Held, crowd: Crowd): Promise<Again> {
  const { job } = held
  const first = stepBeforeEdits(job)
  const drawn = await draw(context, held, first)
  const step = first ?? nextStep(job, drawn)
  if (step === "none") return "done"
  const { limit, take, onRefusal, skip, people = recipientsOf } = STEPS[step]
  if (skip && people(job).length === 0) return skip(context, held)
  if (limit) {
    const kind = limit === "edit" && job.isAwaited ? "answer" : limit
    const waitMs = await takeTurn(context.store, context.settings.timing.rates, kind, job.channel)
    if (waitMs > 0) return queueUp(crowd, `${kind}:${job.channel}`, waitMs)
  }
  const { tries } = context.settings.timing
  const taken = await take(context, held, drawn).catch(orSlackError)
  if (!(taken instanceof SlackError)) return taken
  if (taken.verdict !== "give_up") return waitAfter(taken, tries)
  const instead = await onRefusal(context, held, drawn, taken.code).catch(orSlackError)
  if (!(instead instanceof SlackError)) return instead
  if (instead.verdict === "give_up") throw instead
  return waitAfter(instead, tries)
}

/** Returns the delay in ms before a write is repeated that Slack has not taken, or may have. */
function waitAfter(
  { verdict, retryAfterMs }: SlackError,
  tries: Context["settings"]["timing"]["tries"],
): number {
  return verdict === "unknown" ? tries.lookUpAgainMs : (retryAfterMs ?? tries.unreachableMs)
}

/** Draws the messages of a step that is due, or those that may differ from what Slack shows. */
async function draw(context: Context, held: Held, step: StepName | undefined): Promise<Drawn> {
  switch (step) {
    case undefined:
      return { ...(await drawCard(context, held)), result: drawReply(context, held) }
    case "card":
    case "compare":
      return drawCard(context, held)
    case "result":
      return { result: drawReply(context, held) }
    default:
      return {}
  }
}

async function drawCard(context: Context, { job, now }: Held): Promise<Drawn> {
  const { access, gitHubHost, projects } = context.settings
  const prompts = await context.jobs.promptsOf(shownAsks(job))
  const texts = { words: firstWords({ job, prompts }), roundWords: roundWords({ job, prompts }) }
  const name = prompts[firstAsk(job)?.id ?? ""]?.speaker
  const project = projects.labelOf(job.project)
  const followUps = Object.fromEntries(
    followUpsShown(job).map(({ id }) => [id, prompts[id]?.words ?? ""]),
  )
  const place = await placeIfWaiting(context, job)
  const people = { name, admins: access.admins }
  const shown = { job: place ? { ...job, place } : job, project, gitHubHost, now }
  return { place, card: jobCard({ ...shown, ...texts, ...people, followUps }) }
}

/** Draws the closing reply; one that is in the thread keeps its mentions. */
function drawReply({ settings }: Context, { job }: Held): Message | undefined {
  if (job.state !== "ended") return undefined
  const { told } = currentRound(job)
  const users = told?.ts === undefined ? recipientsOf(job) : told.users
  return resultReply({ job, users, gitHubHost: settings.gitHubHost })
}

/** Spreads the jobs that wait for the same limit, so that they come back one after another. */
function queueUp(crowd: Crowd, limit: string, waitMs: number): number {
  const ahead = crowd.get(limit) ?? 0
  crowd.set(limit, ahead + 1)
  return waitMs * (ahead + 1)
}

/**
 * Handles an unexpected error with one job: tries again less and less often and gives up in the
 * end, because a record that breaks a step does so every time. News that can't be posted stands on
 * the card; who waits for a request to start hears that it won't.
 */
async function afterFailure(context: Context, held: Held, error: unknown): Promise<Again> {
  const { job } = held
  const failures = job.failures + 1
  context.events.deliveryFailed(job, error, failures)
  const isLast = failures > MAX_FAILURES
  const change = isLast ? { set: { ...NOTHING_IN_DOUBT.set, failures: 0 } } : { set: { failures } }
  await context.jobs.change(job.id, () => change)
  const { failedMs } = context.settings.timing.tries
  if (!isLast) return Math.min(failedMs * 2 ** job.failures, LONGEST_TRY_MS)
  const step = stepBeforeEdits(job) ?? "edit"
  if (step === "none") return "done"
  const { skip, onRefusal } = STEPS[step]
  return skip ? skip(context, held) : onRefusal(context, held, {}, BROKEN_HERE)
}

async function beginWaiting(context: Context, { job }: Held): Promise<Again> {
  const hasMessages = await context.docs.deployment.offersMessages(job.project)
  const prompts = await context.jobs.promptsOf(job.waiting)
  await context.jobs.change(job.id, (found) => {
    const begun = nextRound(found.job, { hasMessages, now: found.now })
    return begun === "new_job"
      ? moveOut(context.settings.auditDays, found, found.job.waiting, prompts)
      : begun
  })
  return 0
}
