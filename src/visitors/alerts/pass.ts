import { ALERTS } from "../../config/timing.ts"
import { DocsError, orDocsError } from "../../errors/docs-error.ts"
import { SlackError } from "../../errors/slack-error.ts"
import type { Message } from "../../ports/message.ts"
import type { Outbound, PostKey } from "../../ports/outbound.ts"
import { UNTIL_WOKEN } from "../../runtime/alarm.ts"
import type { Mover } from "../changes.ts"
import { dayOf } from "../day.ts"
import type { Readings } from "../readings.ts"
import { CHANNEL_GONE, lookForPost } from "../scheduled-posts.ts"
import type { CountDeps } from "./counts.ts"
import { type Looked, lastClosed, lookAt, nextLook, passOver, type WatchNews } from "./look.ts"
import { moversOf } from "./movers.ts"
import type { AlertStore, ChannelAlerts, ClaimedAlerts, LinkedReports } from "./ports.ts"

/** Tries of one day, with those that wait for late data; after these it is passed over. */
const MOST_TRIES = 160

/** One piece of news with what its line of a message holds. */
export interface AlertLine extends WatchNews {
  movers: readonly Mover[]
  /** Opaque id of the report of its day. */
  report: string
}

export interface AlertViews {
  alert(lines: readonly AlertLine[]): Message
}

export interface AlertPassDeps extends CountDeps {
  alerts: AlertStore
  readings: Readings
  linked: LinkedReports
  outbound: Outbound
  views: AlertViews
}

/**
 * One pass over the alerts: claims the channel that is due longest, judges its days and posts what is
 * new, in one message at most. The next look comes after the next day at the earliest, so a channel
 * hears once a day however late the data were. Returns how long to rest, ms.
 */
export async function alertPass(deps: AlertPassDeps): Promise<number> {
  const { alerts } = deps
  const claimed = await alerts.claim(ALERTS.leaseMs)
  if (!claimed) return (await alerts.nextDue()) ?? UNTIL_WOKEN
  try {
    const looked = await lookAt(deps, claimed.alerts, claimed.at).catch(orDocsError)
    if (looked instanceof DocsError) await afterFault(deps, claimed, looked)
    else if ("waitMs" in looked)
      await alerts.settle(claimed, { againMs: looked.waitMs, unsure: claimed.unsure })
    else await tell(deps, claimed, looked)
  } catch (error) {
    // It may have been posted when it went wrong: then it is found before it is posted again.
    const outcome = { againMs: ALERTS.failedMs, unsure: true }
    if (!(error instanceof SlackError)) await alerts.settle(claimed, outcome)
    throw error
  }
  return 0
}

async function tell(deps: AlertPassDeps, claimed: ClaimedAlerts, looked: Looked): Promise<void> {
  const { alerts, outbound } = deps
  const { channel } = claimed.alerts
  const key = keyOf(claimed)
  if (looked.news.length === 0) return done(deps, claimed, looked.state, false)
  if (claimed.unsure) {
    const found = await lookForPost(deps, channel, key)
    if (found !== "absent") return afterLook(deps, claimed, looked, found)
  }
  const lines = await linesOf(deps, claimed.alerts, looked.news)
  if (!(await alerts.posting(claimed))) return
  try {
    await outbound.post({ channel }, deps.views.alert(lines), key)
    await done(deps, claimed, looked.state, true)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    await afterRefusal(deps, claimed, looked, error)
  }
}

function linesOf(
  { readings, linked }: AlertPassDeps,
  { channel }: ChannelAlerts,
  news: readonly WatchNews[],
): Promise<AlertLine[]> {
  return Promise.all(
    news.map(async ({ watch, news: { began, over } }) => {
      const day = began?.story.from ?? over?.day ?? ""
      const { project, filter, of: by } = watch
      const range = { from: day, to: day }
      const question = { project, range, by, page: 1, ...(filter ? { filter } : {}) }
      return {
        watch,
        news: { ...(began ? { began } : {}), ...(over ? { over } : {}) },
        movers: began ? await moversOf(readings, watch, day, began.story.direction) : [],
        report: await linked.save({ channel, question }),
      }
    }),
  )
}

/** The days are dealt with. After a post the next one comes on another day, in UTC. */
async function done(
  { alerts }: AlertPassDeps,
  claimed: ClaimedAlerts,
  state: ChannelAlerts["state"],
  posted: boolean,
): Promise<void> {
  const next = nextLook(lastClosed(claimed.at))
  const dueAt = posted ? Math.max(next, nextLook(dayBefore(claimed.at))) : next
  await alerts.settle(claimed, { state, dueAt })
}

/** The day whose next look falls on the day after this moment. */
function dayBefore(at: number): string {
  return dayOf(at - 24 * 3_600_000)
}

async function afterFault(
  { alerts }: AlertPassDeps,
  claimed: ClaimedAlerts,
  { retryAfterMs }: DocsError,
): Promise<void> {
  const againMs = Math.max(retryAfterMs ?? 0, ALERTS.failedMs)
  if (claimed.tries < MOST_TRIES) return alerts.settle(claimed, { againMs, unsure: claimed.unsure })
  const dueAt = nextLook(lastClosed(claimed.at))
  await alerts.settle(claimed, { state: passOver(claimed.alerts, claimed.at), dueAt })
}

async function afterRefusal(
  deps: AlertPassDeps,
  claimed: ClaimedAlerts,
  looked: Looked,
  error: SlackError,
): Promise<void> {
  if (CHANNEL_GONE.has(error.code)) return deps.alerts.end(claimed)
  if (error.verdict === "give_up" || claimed.tries >= MOST_TRIES) {
    await done(deps, claimed, looked.state, false)
    throw error
  }
  const againMs = error.retryAfterMs ?? ALERTS.failedMs
  await deps.alerts.settle(claimed, { againMs, unsure: error.verdict === "unknown" })
}

/** It was posted; while Slack does not say, it is looked for later. */
async function afterLook(
  deps: AlertPassDeps,
  claimed: ClaimedAlerts,
  { state }: Looked,
  found: "posted" | SlackError,
): Promise<void> {
  if (found === "posted" || claimed.tries >= MOST_TRIES) return done(deps, claimed, state, true)
  const againMs = found.retryAfterMs ?? ALERTS.failedMs
  await deps.alerts.settle(claimed, { againMs, unsure: true })
}

/** The same for the same news, whichever process tells of them, and when. */
function keyOf({ alerts: { channel, watches, state } }: ClaimedAlerts): PostKey {
  const judged = Object.values(state).map((watched) => watched.judged)
  const part = judged.toSorted().at(-1) ?? watches[0]?.from ?? ""
  return { job: `alert:${channel}`, part }
}
