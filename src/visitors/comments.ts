import type { DocsApi } from "../docs-service/docs-client.ts"
import { type Comment, commentsSchema } from "../docs-service/reader-signals.ts"
import { defined } from "../lib/defined.ts"
import type { LimitAnalytics, Reader } from "./analytics-limit.ts"
import { type CommentGap, commentKey } from "./gap.ts"
import { type Range, serviceDates } from "./range.ts"
import type { ReadingCache } from "./reading-cache.ts"
import { bareWords } from "./similar-words.ts"

export interface CommentSource {
  docs: Pick<DocsApi, "feedback">
  limit: LimitAnalytics
  cached: ReadingCache
}

/** Maximum page size that the service allows, and all that one request shows. */
const ROWS = 100
/** Maximum texts of a group, in the list and in a request. */
const MAX_TEXTS = 5

/**
 * Reads the comments of a range, with one request.
 * @param of `pending`: those that nobody has handled
 * @throws DocsError
 */
export async function readComments(
  { docs, limit, cached }: CommentSource,
  reader: Reader,
  project: string,
  range: Range,
  of: "pending" | "any" = "pending",
): Promise<Comment[]> {
  const status = of === "pending" ? of : undefined
  const query = { ...serviceDates(range), limit: ROWS, ...defined({ status }) }
  const { value } = await cached(
    commentsSchema,
    { kind: "comments", project, range, part: of },
    () => limit(reader, project, async () => (await docs.feedback(project, query)).comments),
  )
  return newestFirst(value)
}

/** Groups comments by page and snippet, the group with the newest comment first. */
export function commentGaps(comments: readonly Comment[]): CommentGap[] {
  const groups = new Map<string, Comment[]>()
  for (const one of newestFirst(comments)) {
    if (bareWords(one.text) === "") continue
    const id = JSON.stringify([byOf(one), one.path, one.file, one.language])
    const group = groups.get(id)
    if (group) group.push(one)
    else groups.set(id, [one])
  }
  return [...groups.values()].flatMap(gapOf)
}

function gapOf(group: readonly Comment[]): CommentGap[] {
  const [first] = group
  if (!first) return []
  const { path, file, language } = first
  // Of the same words, the newest comment stays.
  const texts = new Map(group.toReversed().map(({ text }) => [bareWords(text), text]))
  return [
    {
      kind: "comments",
      by: byOf(first),
      path,
      ...defined({ file, language }),
      texts: [...texts.values()].toReversed().slice(0, MAX_TEXTS),
      written: group.length,
      keys: group.map(({ id }) => commentKey(id)),
    },
  ]
}

function byOf({ source }: Comment): CommentGap["by"] {
  return source === "agent" ? "agents" : "readers"
}

function newestFirst(comments: readonly Comment[]): Comment[] {
  return comments.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
}
