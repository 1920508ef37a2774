import type { QueuePlace } from "../jobs/job.ts"
import type { WaitReason } from "../jobs/outcome.ts"
import { anAdmin, clockTime, date } from "./mrkdwn.ts"

/** Says why nothing starts. @param nextTry ms, if known */
export function pauseLine(reason: WaitReason, admins: readonly string[], nextTry?: number): string {
  const when = nextTry === undefined ? "" : ` · next try around ${clockTime(nextTry)}`
  switch (reason) {
    case "catching_up":
      return ":hourglass_flowing_sand: *Starting soon*"
    case "rate_limited":
      return `:hourglass_flowing_sand: *Waiting for the hourly limit*${when}`
    case "outage":
      return `:hourglass_flowing_sand: *Documentation service not responding*${when}`
    default:
      return `:warning: *Paused* until ${anAdmin(admins)} ${REMEDIES[reason]}.`
  }
}

const REMEDIES = {
  restored: "resumes the queue",
  key_refused: "replaces the API key",
  forbidden: "fixes the API key's permissions",
}

function startWords({ startsAt, isFar }: QueuePlace): string {
  if (startsAt === undefined) return ""
  return isFar ? `starts ${date(startsAt)}` : `starts around ${clockTime(startsAt)}`
}

/** Says how many requests are in front; "" if this one is about to start or the queue is paused. */
export function inLine(at: QueuePlace | undefined): string {
  if (!at || at.soon || at.paused) return ""
  if (at.place === 1) return "next in line"
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(at.place)
  return `${at.place}${{ one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" }[rule]} in line`
}

export function placeWords(place: QueuePlace | undefined): string {
  const line = inLine(place)
  return place && line ? [startWords(place), line].filter(Boolean).join(" · ") : ""
}

export function queuedLine(place: QueuePlace | undefined, admins: readonly string[]): string {
  if (place?.paused) return pauseLine(place.paused as WaitReason, admins, place.triedAt)
  if (!place || place.soon) return ":hourglass_flowing_sand: *Starting*"
  const queued = ":hourglass_flowing_sand: *Docs change queued*"
  return [queued, startWords(place)].filter(Boolean).join(" · ")
}
