import { isDeepStrictEqual } from "node:util"
import { IANAZone } from "luxon"
import { channelFacts } from "../asking/tell-requesters.ts"
import type { Context } from "../jobs/context.ts"
import { defined } from "../lib/defined.ts"
import { ofProject } from "../messages/mrkdwn.ts"
import { cannotPostHere } from "../messages/refused-requests.ts"
import type { Message } from "../slack/message-types.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { currentTime } from "../store/script.ts"
import { type Digest, nextDigest, type Rhythm } from "./digest.ts"
import { dueAt, type ScheduledPost, type ScheduledPosts } from "./stored-posts.ts"
import * as notices from "./subscription-notices.ts"
import type { VisitorsContext } from "./visitors-context.ts"

export interface Asked {
  channel: string
  user: string
  project: string
}

/** Private answer to a change; undefined if the channel was told. */
export type Answer = Promise<Message | undefined>

/** Returns whether everything that somebody named, if anything, is so. */
export function isPart(named: object, of: object): boolean {
  return isDeepStrictEqual({ ...of, ...defined(named) }, of)
}

/** Returns the posts of a channel whose ids begin so. */
export async function postsOf(posts: ScheduledPosts, prefix: string): Promise<ScheduledPost[]> {
  const found = await Promise.all((await posts.idsOf(prefix)).map(posts.find))
  return found.filter((post) => post !== undefined)
}

/** Removes the posts that are meant. Resolves to those removed. */
export async function removePosts(
  posts: ScheduledPosts,
  prefix: string,
  isMeant: (post: ScheduledPost) => boolean,
): Promise<ScheduledPost[]> {
  const removeOne = async (id: string) => {
    const before = await posts.change(id, (post) =>
      post && isMeant(post) ? { due: "never" } : undefined,
    )
    return before && isMeant(before) ? [before] : []
  }
  return (await Promise.all((await posts.idsOf(prefix)).map(removeOne))).flat()
}

export function listedPost(
  { settings: { projects } }: Context,
  { what, project, user }: { what: string; project: string; user: string },
  due: number,
): notices.ListedPost {
  const dueAt = projects.keys.includes(project) ? due : undefined
  return { what, project: projects.nameOf(project), user, dueAt }
}

/** Announces what a channel will get. Unless Slack confirms the post, undoes it and says why. */
export async function announce(
  context: Context,
  channel: string,
  words: Message,
  undo: () => Promise<unknown>,
): Answer {
  const refused = await refusalOf(context.slack.outbound.post({ channel }, words))
  if (!refused) return undefined
  await undo()
  return cannotPostHere(refused, await channelFacts(context, channel), notices.NOT_TURNED_ON)
}

/** Tells a channel what it no longer gets, or, if Slack refuses, the person who ended it. */
export async function farewell(
  { slack }: Context,
  { channel, user }: Asked,
  kind: notices.PostKind,
  names: readonly string[],
): Answer {
  if (names.length === 0) return notices.nothingToTurnOff(kind)
  const words = notices.turnedOff(user, names)
  return (await refusalOf(slack.outbound.post({ channel }, words))) && words
}

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
  return farewell(visitors.context, asked, "digest", names)
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
