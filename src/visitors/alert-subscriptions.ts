import { defined } from "../lib/defined.ts"
import { currentTime } from "../store/script.ts"
import { isSame, nextLook, type Watch, type Watched, watchedKinds, watchWords } from "./alerts.ts"
import { dueAt, type ScheduledPost, type ScheduledPosts } from "./stored-posts.ts"
import * as notices from "./subscription-notices.ts"
import { type Answer, type Asked, announce, farewell, isPart, listedPost } from "./subscriptions.ts"
import type { VisitorsContext } from "./visitors-context.ts"

const MAX_WATCHES = 10

const alertsId = (channel: string) => `alerts:${channel}`

/** Adds alerts to a channel: stores them, then announces them, like `turnDigestOn`. */
export async function turnAlertsOn(
  visitors: VisitorsContext,
  { channel, user, project }: Asked,
  { of, filter }: Watched,
): Answer {
  const wanted = (of === undefined ? watchedKinds : [of]).map(
    (kind): Watch => ({ project, of: kind, user, ...defined({ filter }) }),
  )
  const freshBeside = (post: ScheduledPost | undefined) =>
    wanted.filter((watch) => !post?.watches.some((other) => isSame(watch, other)))
  const watchesAfter = (post: ScheduledPost | undefined) => [
    ...(post?.watches ?? []),
    ...freshBeside(post),
  ]
  const due = nextLook(await currentTime(visitors.context.store))
  const before = await visitors.posts.change(alertsId(channel), (post) => {
    const watches = watchesAfter(post)
    if (freshBeside(post).length === 0 || watches.length > MAX_WATCHES) return undefined
    return post ? { set: { watches } } : dueAt(due, { channel, watches })
  })
  const fresh = freshBeside(before)
  if (fresh.length === 0) return notices.alreadyOn("alerts")
  if (watchesAfter(before).length > MAX_WATCHES) return notices.tooManyAlerts(MAX_WATCHES)
  const isFresh = (watch: Watch) => fresh.some((other) => isSame(watch, other))
  const undo = () => removeWatches(visitors.posts, channel, isFresh)
  return announce(visitors.context, channel, notices.alertsOn(user, fresh), undo)
}

export async function turnAlertsOff(
  visitors: VisitorsContext,
  asked: Asked,
  meant: Watched & { project?: string },
): Answer {
  const ended = await removeWatches(visitors.posts, asked.channel, (watch) => isPart(meant, watch))
  const names = ended.length > 0 ? [notices.alertsName(ended)] : []
  return farewell(visitors.context, asked, "alerts", names)
}

/** Removes alerts from a channel. Resolves to those removed. */
async function removeWatches(
  posts: ScheduledPosts,
  channel: string,
  isMeant: (watch: Watch) => boolean,
): Promise<Watch[]> {
  const before = await posts.change(alertsId(channel), (post) => {
    const watches = post?.watches.filter((watch) => !isMeant(watch)) ?? []
    return post && (watches.length > 0 ? { set: { watches } } : { due: "never" })
  })
  return before?.watches.filter(isMeant) ?? []
}

export async function listAlerts(visitors: VisitorsContext, channel: string) {
  const due = nextLook(await currentTime(visitors.context.store))
  const watches = (await visitors.posts.find(alertsId(channel)))?.watches ?? []
  const listed = watches.map((watch) => {
    const place = watch.filter === undefined ? " on the whole site" : ""
    return listedPost(visitors.context, { ...watch, what: `${watchWords(watch)}${place}` }, due)
  })
  return notices.listOfPosts("alerts", listed)
}
