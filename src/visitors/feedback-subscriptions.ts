import { ABSENT, DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { currentTime } from "../store/script.ts"
import {
  afterSeen,
  FEEDBACK_LACKING,
  type Feed,
  feedbackForAdmins,
  feedRange,
  nextFeedLook,
} from "./feedback-feed.ts"
import { commentKey } from "./gap-kinds.ts"
import { readComments } from "./read-comments.ts"
import { missingOf } from "./read-report.ts"
import { unavailable } from "./report-unavailable.ts"
import { dueAt } from "./stored-posts.ts"
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

const feedsOf = (channel: string) => `feedback:${channel}:`

/** Stores a channel's feed and announces it, unless the service has no comments. */
export async function turnFeedbackOn(visitors: VisitorsContext, asked: Asked): Answer {
  const { context, posts } = visitors
  const { access, projects } = context.settings
  const { channel, user, project } = asked
  if (!access.admins.includes(user)) return feedbackForAdmins(access.admins)
  const id = feedsOf(channel) + project
  if (await posts.find(id)) return notices.alreadyOn("feedback")
  const since = await currentTime(context.store)
  const query = { project, range: feedRange(since) }
  const read = await readComments(visitors, "feed", user, query).catch(orDocsError)
  if (read instanceof DocsError) {
    if (ABSENT.has(read.status ?? 0)) return FEEDBACK_LACKING
    return unavailable("comments", missingOf(read, since), access.admins)
  }
  // Known before the first look, which may be in a moment: what stands there already is not new.
  const keys = read.comments.map((comment) => commentKey(comment.id))
  const feed: Feed = afterSeen({ project, user, since, seen: [] }, keys)
  const before = await posts.change(id, (known) =>
    known ? undefined : dueAt(nextFeedLook(since), { channel, feed }),
  )
  if (before) return notices.alreadyOn("feedback")
  const undo = () => posts.change(id, (known) => known && { due: "never" })
  const words = notices.feedbackOn(user, projects.labelOf(project))
  return announce(context, channel, words, undo)
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
