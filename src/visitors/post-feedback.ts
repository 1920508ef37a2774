import type { Clock } from "../lib/time.ts"
import type { Message } from "../slack/message.ts"
import { type CommentSource, commentGaps, readComments } from "./comments.ts"
import { commentKey, type Feed, feedRange, newIn } from "./feedback-feed.ts"
import { feedbackMessage } from "./feedback-message.ts"
import type { Shown } from "./shown-reports.ts"

export interface FeedDeps extends CommentSource {
  shown: Shown
  now: Clock
  nameOf: (project: string) => string
  gitHubHost: string
}

/** Makes the message with what is new in a channel's feed; undefined if nothing is. @throws DocsError */
export async function makeFeedback(
  deps: FeedDeps,
  channel: string,
  feed: Feed,
): Promise<{ message: () => Message; keys: string[] } | undefined> {
  const { shown, now, nameOf, gitHubHost } = deps
  const { project } = feed
  const range = feedRange(await now())
  const fresh = newIn(feed, await readComments(deps, undefined, project, range))
  const gaps = commentGaps(fresh)
  if (gaps.length === 0) return undefined
  const id = await shown.save({ channel }, { project, range, gaps })
  const list = { id, gaps, requested: [], gitHubHost }
  return {
    message: () => feedbackMessage(gaps, list, nameOf(project)),
    keys: fresh.map((comment) => commentKey(comment.id)),
  }
}
