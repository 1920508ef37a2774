import type { QueuePlace } from "../jobs/job.ts"
import { clockTime, date } from "./mrkdwn.ts"

/** Where a request stands in line; on the card and in every list the same words. */
export function positionText({ place }: Pick<QueuePlace, "place">): string {
  return place === 1 ? "Next in line" : `Number ${place} in line`
}

/** When it starts, as far as that is known. The day is named where the time alone would mislead. */
export function expectedStart({ startsAt, isFar }: QueuePlace): string | undefined {
  if (startsAt === undefined) return undefined
  return isFar ? date(startsAt) : `around ${clockTime(startsAt)}`
}
