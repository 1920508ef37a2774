import type { PauseReason } from "../jobs/pause-record.ts"
import type { Message } from "../slack/message-types.ts"
import { message } from "./blocks.ts"
import { askButton } from "./help.ts"
import { counted, foreignLine } from "./mrkdwn.ts"
import { pauseLine, startTime } from "./queue-words.ts"

/** Use of a project's hour, and the start of this person's next request there. */
interface Quota {
  used: number
  ceiling: number
  waiting: number
  /** Follow-ups that wait, which count in an hour of their own. */
  followUps?: number
  /** Absent if the request would start now, or if the pause has no end. */
  startsAt?: number
  /** Creations in the hour below which a person may use what is left of it, if that is reserved. */
  reservedBelow?: number
  pause?: { reason: PauseReason; until?: number }
  month?: { used: number; most: number }
}

/** Use of the hour of each project that a person may ask for. */
export interface QuotaOverview {
  now: number
  quotas: readonly { project: string; quota: Quota }[]
}

export interface QuotaFacts {
  overview: QuotaOverview
  nameOf: (project: string) => string
  admins: readonly string[]
}

const MAX_PROJECTS = 10

export function quotaMessage(facts: QuotaFacts): Message {
  return message({ lines: hourLines(facts), buttons: [askButton()] })
}

/** Writes a line for each project, paused and busy projects first. */
export function hourLines(facts: QuotaFacts): string[] {
  const { quotas } = facts.overview
  const lines = quotas
    .toSorted((a, b) => urgencyOf(b.quota) - urgencyOf(a.quota))
    .slice(0, MAX_PROJECTS)
    .map(({ project, quota }) => {
      const name = quotas.length > 1 ? `*${foreignLine(facts.nameOf(project), 40)}*: ` : ""
      return `${name}${delayWords(quota, facts)}\n${usedWords(quota)}`
    })
  const left = quotas.length - lines.length
  return [...lines, ...(left > 0 ? [`${counted(left, "other project")} not shown`] : [])]
}

function delayWords(
  { startsAt, reservedBelow, pause }: Quota,
  { overview: { now }, admins }: QuotaFacts,
): string {
  if (pause) return `${pauseLine(pause.reason, admins, pause.until)}.`
  if (startsAt === undefined) return "*There's room for your next request.*"
  const why = reservedBelow
    ? ` The rest of the hourly limit is reserved for people with fewer than ${reservedBelow} requests in the last hour.`
    : ""
  return `*Your next request would start ${startTime(startsAt, now)}.*${why}`
}

function usedWords(quota: Quota): string {
  const { used, ceiling, pause, month } = quota
  // Others have used up the service's limit, so this count alone would deny it.
  const by = pause?.reason === "rate_limited" ? "from Slack" : "by everyone"
  const inMonth = month ? ` · ${month.used} of ${month.most} this month, sent by Docs Agent` : ""
  return `${used} of ${ceiling} requests used ${by} in the last hour${queuedWords(quota)}${inMonth}`
}

/** Writes " · 2 queued, and 1 follow-up". */
function queuedWords({ waiting, followUps = 0 }: Quota): string {
  const also = followUps > 0 ? counted(followUps, "follow-up") : ""
  if (waiting === 0) return also && ` · ${also} queued`
  return ` · ${waiting} queued${also && `, and ${also}`}`
}

function urgencyOf({ pause, waiting, used }: Quota): number {
  return (pause ? 1e9 : 0) + waiting * 100 + used
}
