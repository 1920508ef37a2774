import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Comment } from "../docs-service/reader-signals.ts"
import { addDays, dayOf } from "../lib/time.ts"
import { context, line, section, textOfBlocks } from "../messages/blocks.ts"
import { counted, foreignLine, joinNames } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message-types.ts"
import { type CommentGap, commentKey } from "./gap-kinds.ts"
import { gapRows, type ShownGaps } from "./gaps-message.ts"
import type { Range } from "./range.ts"
import { commentGaps, readComments } from "./read-comments.ts"
import type { Readings, VisitorsContext } from "./read-visitors.ts"
import type { Feed } from "./scheduled-posts.ts"
import { saveShown } from "./stored-reports.ts"

/** Days back that a look covers; more would be news of long ago after a downtime. */
const DAYS = 7

export function feedRange(now: number): Range {
  const today = dayOf(now)
  return { from: addDays(today, 1 - DAYS), to: today }
}

/**
 * Reads the comments that a channel has not seen. One without a time is new if it is unknown.
 * @throws DocsError
 */
async function readNew(readings: Readings, feed: Feed, range: Range): Promise<Comment[]> {
  const { project, since, seen } = feed
  const known = new Set(seen)
  const asked = { reader: undefined, project, range }
  const { comments } = await readComments(readings, "pending", asked)
  return comments.filter(({ id, at = since }) => at >= since && !known.has(commentKey(id)))
}

/**
 * Makes the message about the comments that a channel has not seen, of all its feeds, with their
 * keys. Undefined without such comments.
 * @throws DocsError if no feed can be read
 */
export async function makeFeedback(
  { context, readings }: VisitorsContext,
  channel: string,
  feeds: readonly Feed[],
  now: number,
): Promise<{ message: () => Message; shows: string[] } | undefined> {
  const { projects, gitHubHost } = context.settings
  const range = feedRange(now)
  const failed: DocsError[] = []
  const news: News[] = []
  for (const feed of feeds) {
    const { project } = feed
    const fresh = await readNew(readings, feed, range).catch(orDocsError)
    if (fresh instanceof DocsError) {
      failed.push(fresh)
      continue
    }
    const gaps = commentGaps(fresh)
    if (gaps.length === 0) continue
    const id = await saveShown(context.store, { channel }, { project, range, gaps })
    const shown = { id, gaps, requested: [], gitHubHost }
    news.push({ project: projects.nameOf(project), gaps, shown })
  }
  const awaited = failed.find(({ fault }) => fault !== "not_configured") ?? failed[0]
  if (awaited && failed.length === feeds.length) throw awaited
  if (news.length === 0) return undefined
  const shows = news.flatMap(({ gaps }) => gaps.flatMap(({ keys }) => keys))
  return { message: () => feedbackMessage(news), shows }
}

/** Groups of comments in one message. */
const MAX_GROUPS = 10

/** New comments about a project, which has this name. */
interface News {
  project: string
  gaps: readonly CommentGap[]
  shown: ShownGaps
}

export function feedbackMessage(news: readonly News[]): Message {
  const groups = news.flatMap(({ gaps }) => gaps)
  const first = groups.slice(0, MAX_GROUPS)
  const left = groups.slice(MAX_GROUPS).reduce((sum, { written }) => sum + written, 0)
  const title = `*New on the docs*: ${writtenWords(groups)}`
  const more = left > 0 ? `and ${left} more: \`/docs-visitors gaps\` · ` : ""
  const names = news.map(({ project }) => foreignLine(project, 40))
  const about = `${more}${joinNames(names)} · manage: \`/docs-visitors feedback list\``
  const rows = news.flatMap(({ gaps, shown }, n) => [
    ...(news.length > 1 ? [section(`*${names[n]}*`)] : []),
    ...gapRows(
      gaps.filter((gap) => first.includes(gap)),
      shown,
    ),
  ])
  const blocks = [section(title), ...rows, context(about)]
  return { text: textOfBlocks(blocks), blocks }
}

/** Writes "2 comments from readers and 1 from AI agents". */
export function writtenWords(groups: readonly Pick<CommentGap, "by" | "written">[]): string {
  const by = (who: CommentGap["by"]) =>
    groups.filter((group) => group.by === who).reduce((sum, { written }) => sum + written, 0)
  const [readers, agents] = [by("readers"), by("agents")]
  const all = [
    ...(readers > 0 ? [`${counted(readers, "comment")} from readers`] : []),
    ...(agents > 0 ? [`${counted(agents, "comment")} from AI agents`] : []),
  ]
  return joinNames(all)
}

export const FEEDBACK_LACKING = line(
  "*Not turned on*: your documentation service doesn't report comments.",
)
