import type { QueuePlace } from "../jobs/job.ts"
import type { WaitReason } from "../jobs/limit/outcome.ts"
import { anAdmin, clockTime, date } from "./mrkdwn.ts"

/** Says why nothing starts. @param nextTry ms, if known */
export function pauseLine(reason: WaitReason, admins: readonly string[], nextTry?: number): string {
  const when = nextTry === undefined ? "" : ` · next try around ${clockTime(nextTry)}`
  const texts: Record<WaitReason, string> = {
    catching_up: ":hourglass_flowing_sand: *Starting soon*",
    rate_limited: `:hourglass_flowing_sand: *Waiting for the hourly limit*${when}`,
    outage: `:hourglass_flowing_sand: *Documentation service not responding*${when}`,
    restored: `:warning: *Paused* until ${anAdmin(admins)} resumes the queue.`,
    key_refused: `:warning: *Paused* until ${anAdmin(admins)} replaces the API key.`,
    forbidden: `:warning: *Paused* until ${anAdmin(admins)} fixes the API key's permissions.`,
  }
  return texts[reason]
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
