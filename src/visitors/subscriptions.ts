import { isDeepStrictEqual } from "node:util"
import { IANAZone } from "luxon"
import { channelFacts } from "../asking/channel-facts.ts"
import { ABSENT, DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import { defined } from "../lib/defined.ts"
import { ofProject } from "../messages/mrkdwn.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { currentTime } from "../store/script.ts"
import { type Digest, nextDigest, type Rhythm } from "./digest.ts"
import {
  afterSeen,
  FEEDBACK_LACKING,
  type Feed,
  feedbackForAdmins,
  feedRange,
  nextFeedLook,
} from "./feedback-feed.ts"
import { commentKey } from "./gap.ts"
import { readComments } from "./read-comments.ts"
import { missingOf } from "./report.ts"
import { unavailable } from "./report-notices.ts"
import { dueAt, type ScheduledPost, type ScheduledPosts } from "./scheduled-posts.ts"
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
async function postsOf(posts: ScheduledPosts, prefix: string): Promise<ScheduledPost[]> {
  const found = await Promise.all((await posts.idsOf(prefix)).map(posts.find))
  return found.filter((post) => post !== undefined)
}

/** Removes the posts that are meant. Resolves to those removed. */
async function removePosts(
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

const feedsOf = (channel: string) => `feedback:${channel}:`

/** Stores a channel's feed and announces it, unless the service has no comments. */
export async function turnFeedbackOn(visitors: VisitorsContext, asked: Asked): Answer {
  const { context, posts } = visitors
  const { access, projects } = context.settings
  const { channel, user, project } = asked
  if (!access.admins.includes(user)) return feedbackForAdmins(access.admins)
  const since = await currentTime(context.store)
  const feed: Feed = { project, user, since, seen: [] }
  const id = feedsOf(channel) + project
  const before = await posts.change(id, (known) =>
    known ? undefined : dueAt(nextFeedLook(since), { channel, feed }),
  )
  if (before) return notices.alreadyOn("feedback")
  const undo = () => posts.change(id, (known) => known && { due: "never" })
  const query = { project, range: feedRange(since) }
  const read = await readComments(visitors, "feed", user, query).catch(orDocsError)
  if (read instanceof DocsError) {
    await undo()
    if (ABSENT.has(read.status ?? 0)) return FEEDBACK_LACKING
    return unavailable("comments", missingOf(read, since), access.admins)
  }
  const words = notices.feedbackOn(user, projects.labelOf(project))
  const refusal = await announce(context, channel, words, undo)
  // What stands there already is not new; most comments say when they were written.
  const keys = read.comments.map((comment) => commentKey(comment.id))
  if (!refusal)
    await posts.change(id, (known) => known?.feed && { set: { feed: afterSeen(known.feed, keys) } })
  return refusal
}

/** Ends a channel's feeds, of one project or all. */
export async function turnFeedbackOff(
  visitors: VisitorsContext,
  asked: Asked,
  project?: string,
): Answer {
  const { admins } = visitors.context.settings.access
  if (!admins.includes(asked.user)) return feedbackForAdmins(admins)
  const removed = await removePosts(visitors.posts, feedsOf(asked.channel), ({ feed }) =>
    isPart({ project }, { project: feed?.project }),
  )
  const names = removed.map(() => "reader feedback")
  return farewell(visitors.context, asked, "feedback", names)
}

export async function listFeedback(visitors: VisitorsContext, channel: string) {
  const due = nextFeedLook(await currentTime(visitors.context.store))
  const listed = (await postsOf(visitors.posts, feedsOf(channel))).flatMap(({ feed }) =>
    feed ? [listedPost(visitors.context, { ...feed, what: "reader feedback" }, due)] : [],
  )
  return notices.listOfPosts("feedback", listed)
}
