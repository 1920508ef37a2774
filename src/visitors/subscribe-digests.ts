import { isDeepStrictEqual } from "node:util"
import { IANAZone } from "luxon"
import { ofProject } from "../messages/mrkdwn.ts"
import { type Digest, nextDigest, type Rhythm } from "./digest.ts"
import { dueAt, type ScheduledPost } from "./scheduled-posts.ts"
import * as notices from "./subscription-notices.ts"
import {
  type Asked,
  announce,
  type Done,
  farewell,
  isPart,
  listedPost,
  postsOf,
  removePosts,
  type SubscriptionDeps,
} from "./subscriptions.ts"

/** Returns the id of a digest, of which a channel has at most one per rhythm and project. */
export const digestId = (channel: string, every: Rhythm["every"], project: string) =>
  `${digestsOf(channel)}${every}:${project}`
/** Returns how the ids of a channel's digests begin, also of projects that were removed since. */
const digestsOf = (channel: string) => `digest:${channel}:`

/**
 * Stores the digest, and returns its announcement. Storing comes first, so that only one of two
 * simultaneous identical subscriptions succeeds.
 */
export async function turnDigestOn(deps: SubscriptionDeps, asked: Digest): Promise<Done> {
  const { posts, now, labelOf } = deps
  const { channel, project, rhythm, user } = asked
  const digest = { ...asked, zone: IANAZone.isValidZone(asked.zone) ? asked.zone : "UTC" }
  const due = nextDigest(rhythm, digest.zone, await now())
  const id = digestId(channel, rhythm.every, project)
  const isSameDigest = (post?: ScheduledPost) =>
    isDeepStrictEqual({ ...post?.digest, user }, digest)
  // If somebody subscribes to the same digest again, a pending retry stays as it is.
  const before = await posts.change(id, (post) =>
    isSameDigest(post) ? undefined : dueAt(due, { channel, digest }),
  )
  if (isSameDigest(before)) return { ack: notices.alreadyOn("digest") }
  const earlier = before ? dueAt(before.due, before) : ({ due: "never" } as const)
  const undo = () => posts.change(id, (post) => (isSameDigest(post) ? earlier : undefined))
  const words = notices.digestOn(digest, labelOf(project))
  return { work: () => announce(deps, channel, words, undo) }
}

/** Ends digests of one rhythm or all, and of one project or all. Anybody in the channel may. */
export async function turnDigestsOff(
  deps: SubscriptionDeps,
  asked: Asked,
  every: Rhythm["every"] | undefined,
  project?: string,
): Promise<Done> {
  const removed = await removePosts(deps.posts, digestsOf(asked.channel), ({ digest }) =>
    isPart({ every, project }, { every: digest?.rhythm.every, project: digest?.project }),
  )
  const ended = removed.flatMap(({ digest }) => digest ?? [])
  const names = ended.map(
    (digest) => `the ${notices.digestName(digest)}${ofProject(deps.labelOf(digest.project))}`,
  )
  return farewell(deps, asked, "digest", { names, isAll: every === undefined })
}

export async function listDigests(deps: SubscriptionDeps, channel: string) {
  const now = await deps.now()
  const listed = (await postsOf(deps.posts, digestsOf(channel))).flatMap(({ digest }) => {
    if (!digest) return []
    const { project, user, rhythm, zone } = digest
    const what = `${rhythm.every} ${notices.whenWords(digest)}`
    return [listedPost(deps, { what, project, user }, nextDigest(rhythm, zone, now))]
  })
  return { ack: notices.listOfPosts("digest", listed) }
}
