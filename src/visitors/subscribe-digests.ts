import { isDeepStrictEqual } from "node:util"
import { IANAZone } from "luxon"
import { ofProject } from "../messages/mrkdwn.ts"
import { currentTime } from "../store/script.ts"
import { type Digest, nextDigest, type Rhythm } from "./digest.ts"
import { dueAt, type ScheduledPost } from "./scheduled-posts.ts"
import * as notices from "./subscription-notices.ts"
import {
  type Answer,
  type Asked,
  announce,
  farewell,
  isPart,
  listedPost,
  postsOf,
  removePosts,
} from "./subscriptions.ts"
import type { VisitorsContext } from "./visitors-context.ts"

/** Returns the id of a digest, of which a channel has at most one per rhythm and project. */
export const digestId = (channel: string, every: Rhythm["every"], project: string) =>
  `${digestsOf(channel)}${every}:${project}`
/** Returns how the ids of a channel's digests begin, also of projects that were removed since. */
const digestsOf = (channel: string) => `digest:${channel}:`

/**
 * Stores the digest, then announces it. Storing comes first, so that only one of two
 * simultaneous identical subscriptions succeeds.
 */
export async function turnDigestOn(visitors: VisitorsContext, asked: Digest): Answer {
  const { context, posts } = visitors
  const { channel, project, rhythm, user } = asked
  const digest = { ...asked, zone: IANAZone.isValidZone(asked.zone) ? asked.zone : "UTC" }
  const due = nextDigest(rhythm, digest.zone, await currentTime(context.store))
  const id = digestId(channel, rhythm.every, project)
  const isSameDigest = (post?: ScheduledPost) =>
    isDeepStrictEqual({ ...post?.digest, user }, digest)
  // If somebody subscribes to the same digest again, a pending retry stays as it is.
  const before = await posts.change(id, (post) =>
    isSameDigest(post) ? undefined : dueAt(due, { channel, digest }),
  )
  if (isSameDigest(before)) return notices.alreadyOn("digest")
  const earlier = before ? dueAt(before.due, before) : ({ due: "never" } as const)
  const undo = () => posts.change(id, (post) => (isSameDigest(post) ? earlier : undefined))
  const words = notices.digestOn(digest, context.settings.projects.labelOf(project))
  return announce(context, channel, words, undo)
}

/** Ends digests of one rhythm or all, and of one project or all. Anybody in the channel may. */
export async function turnDigestsOff(
  visitors: VisitorsContext,
  asked: Asked,
  every: Rhythm["every"] | undefined,
  project?: string,
): Answer {
  const removed = await removePosts(visitors.posts, digestsOf(asked.channel), ({ digest }) =>
    isPart({ every, project }, { every: digest?.rhythm.every, project: digest?.project }),
  )
  const ended = removed.flatMap(({ digest }) => digest ?? [])
  const names = ended.map(
    (digest) =>
      `the ${notices.digestName(digest)}${ofProject(visitors.context.settings.projects.labelOf(digest.project))}`,
  )
  return farewell(visitors.context, asked, "digest", { names, isAll: every === undefined })
}

export async function listDigests(visitors: VisitorsContext, channel: string) {
  const now = await currentTime(visitors.context.store)
  const listed = (await postsOf(visitors.posts, digestsOf(channel))).flatMap(({ digest }) => {
    if (!digest) return []
    const { project, user, rhythm, zone } = digest
    const what = `${rhythm.every} ${notices.whenWords(digest)}`
    return [listedPost(visitors.context, { what, project, user }, nextDigest(rhythm, zone, now))]
  })
  return notices.listOfPosts("digest", listed)
}
