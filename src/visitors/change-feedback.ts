import { ABSENT, DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Clock } from "../lib/time.ts"
import { type ChannelFacts, cannotPostHere } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import { refusalOf } from "../slack/slack-error.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { type CommentSource, readComments } from "./comments.ts"
import { afterSeen, commentKey, type Feed, feedRange, nextFeedLook } from "./feedback-feed.ts"
import * as messages from "./feedback-message.ts"
import { missingOf } from "./report.ts"
import { unavailable } from "./report-notices.ts"
import { dueAt, type ScheduledPosts } from "./scheduled-posts.ts"

interface FeedbackDeps extends CommentSource {
  posts: ScheduledPosts
  outbound: Pick<Outbound, "post">
  now: Clock
  admins: readonly string[]
  channelFacts: (channel: string) => Promise<ChannelFacts>
  labelOf: (project: string) => string | undefined
}

interface Asked {
  channel: string
  user: string
  project: string
}

/** Private answer to a change that is stored, or what is left to do: to tell the channel. */
type Done = { ack: Message } | { work: () => Promise<Message | undefined> }

const feedsOf = (channel: string) => `feedback:${channel}:`

/** Stores a channel's feed, and returns its announcement, which a service without comments stops. */
export async function turnFeedbackOn(deps: FeedbackDeps, asked: Asked): Promise<Done> {
  const { posts, admins } = deps
  const { channel, user, project } = asked
  if (!admins.includes(user)) return { ack: messages.feedbackForAdmins(admins) }
  const since = await deps.now()
  const feed: Feed = { project, user, since, seen: [] }
  const id = feedsOf(channel) + project
  const before = await posts.change(id, (known) =>
    known ? undefined : dueAt(nextFeedLook(since), { channel, feed }),
  )
  if (before) return { ack: messages.FEEDBACK_ON_ALREADY }
  return { work: () => announce(deps, asked, id, feed) }
}

async function announce(
  deps: FeedbackDeps,
  { channel, user, project }: Asked,
  id: string,
  feed: Feed,
): Promise<Message | undefined> {
  const { posts, outbound, labelOf, channelFacts, admins } = deps
  const undo = () => posts.change(id, (known) => known && { due: "never" })
  const range = feedRange(feed.since)
  const read = await readComments(deps, user, project, range).catch(orDocsError)
  if (read instanceof DocsError) {
    await undo()
    if (ABSENT.has(read.status ?? 0)) return messages.FEEDBACK_LACKING
    return unavailable("comments", missingOf(read, feed.since), admins)
  }
  const refused = await refusalOf(
    outbound.post({ channel }, messages.feedbackOn(feed, labelOf(project))),
  )
  if (refused) {
    await undo()
    return cannotPostHere(refused, await channelFacts(channel), messages.NOT_FED)
  }
  // What stands there already is not new; most comments say when they were written.
  const keys = read.map((comment) => commentKey(comment.id))
  await posts.change(id, (known) => known?.feed && { set: { feed: afterSeen(known.feed, keys) } })
  return undefined
}

/** Ends a channel's feeds, of one project or all. */
export async function turnFeedbackOff(
  { posts, outbound, admins }: Pick<FeedbackDeps, "posts" | "outbound" | "admins">,
  { channel, user }: Asked,
  project?: string,
): Promise<Done> {
  if (!admins.includes(user)) return { ack: messages.feedbackForAdmins(admins) }
  const isMeant = (feed: Feed | undefined) => (project ?? feed?.project) === feed?.project
  const ended = await Promise.all(
    (await posts.idsOf(feedsOf(channel))).map(async (id) => {
      const known = await posts.change(id, (post) =>
        post && isMeant(post.feed) ? { due: "never" } : undefined,
      )
      return known !== undefined && isMeant(known.feed)
    }),
  )
  if (!ended.includes(true)) return { ack: messages.NO_FEEDBACK }
  const words = messages.feedbackOff(user)
  return { work: async () => (await refusalOf(outbound.post({ channel }, words))) && words }
}

export async function listFeedback(
  {
    posts,
    now,
    nameOf,
    projectKeys,
  }: Pick<FeedbackDeps, "posts" | "now"> & {
    nameOf: (project: string) => string
    projectKeys: readonly string[]
  },
  channel: string,
): Promise<{ ack: Message }> {
  const found = await Promise.all((await posts.idsOf(feedsOf(channel))).map(posts.find))
  const next = nextFeedLook(await now())
  const feeds = found.flatMap((post) => {
    const feed = post?.feed
    if (!feed) return []
    const dueAt = projectKeys.includes(feed.project) ? next : undefined
    return [{ feed, name: nameOf(feed.project), dueAt }]
  })
  return { ack: feeds.length === 0 ? messages.NO_FEEDBACK : messages.feedbackList(feeds) }
}
