import { isKeyFault } from "../jobs/creation-outcome.ts"
import { defined } from "../lib/defined.ts"
import type { Message } from "../slack/message.ts"
import { alertMessage } from "./alert-message.ts"
import { dayToCheck, isSame, unusualDays } from "./alerts.ts"
import type { Readings } from "./readings.ts"
import type { ClaimedPost, ScheduledPosts } from "./scheduled-posts.ts"
import type { Shown } from "./shown-reports.ts"

export interface AlertDeps {
  readings: Readings
  posts: ScheduledPosts
  shown: Shown
  nameOf: (project: string) => string
}

/**
 * Makes the message about a channel's unusual days; undefined if there are none.
 * @param mayWait whether a later try may still find the numbers that are missing now
 * @throws DocsError
 */
export async function makeAlert(
  { readings, posts, shown, nameOf }: AlertDeps,
  { id, value: { channel, watches }, now }: ClaimedPost,
  mayWait: boolean,
): Promise<(() => Message) | undefined> {
  const day = dayToCheck(now)
  if (day === undefined) return undefined
  const { odd, failed } = await unusualDays(readings, watches, day)
  // Waits for the service, or for somebody to mend a key; in the end, posts what the others show.
  // Only a person ends the refusal of a key, so it holds back no other project's alert.
  // A project that was removed is passed over, until it is back or somebody turns its alert off.
  const passing = failed
    .filter(({ fault }) => fault !== "not_configured")
    .find(({ fault }) => odd.length === 0 || !isKeyFault(fault))
  if (passing && mayWait) throw passing
  // Somebody may have turned some of them off during the reading, which can take minutes.
  const { watches: on = [] } = (await posts.find(id)) ?? {}
  const wanted = odd.filter(({ watch }) => on.some((one) => isSame(one, watch)))
  const lines = wanted.map(async (one) => {
    const { project, filter } = one.watch
    const range = { from: one.day, to: one.day }
    const selection = { project, range, page: 1, ...defined({ filter }) }
    const report = await shown.save({ channel }, selection)
    return { ...one, project: nameOf(project), report }
  })
  const [first, ...more] = await Promise.all(lines)
  return first && (() => alertMessage([first, ...more]))
}
