import { z } from "zod"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { type Comment, commentsSchema } from "../docs-service/reader-signals.ts"
import { defined } from "../lib/json.ts"
import { bareWords } from "./alike-questions.ts"
import { type CommentGap, commentKey } from "./gap-kinds.ts"
import type { Readings } from "./read-visitors.ts"
import type { Asked } from "./visitors-cache.ts"

/** Maximum page size that the service allows. */
const ROWS = 100
/** Maximum texts of a group, in the list and in a request. */
const MAX_TEXTS = 5
/**
 * Comments to read, with the requests that they may take: `pending` are those that nobody has
 * handled; most entries may be thumbs without words. The service promises no order, so that the
 * newest may come last.
 */
const READINGS = {
  pending: { status: "pending", requests: 3 },
  all: { status: undefined, requests: 5 },
} as const
type Kind = keyof typeof READINGS

const readingShape = z.object({
  comments: commentsSchema,
  /** Number of entries among which they are, thumbs included. */
  read: z.number(),
  isWhole: z.boolean(),
})
export type CommentReading = z.infer<typeof readingShape>

/** Reads the comments of a range, newest first. @throws DocsError */
export async function readComments(
  readings: Readings,
  kind: Kind,
  asked: Asked,
): Promise<CommentReading> {
  const id = { kind: "comments", ...asked, part: kind } as const
  const { value } = await readings.cached(readingShape, id, () =>
    readPages(readings, asked, READINGS[kind]),
  )
  return { ...value, comments: newestFirst(value.comments) }
}

/** Follows the service's cursor; a failure behind the first page ends the reading there. */
async function readPages(
  readings: Readings,
  asked: Asked,
  { status, requests }: (typeof READINGS)[Kind],
): Promise<CommentReading> {
  const comments = new Map<string, Comment>()
  let read = 0
  let cursor: string | undefined
  for (let n = 0; n < requests; n++) {
    const query = { limit: ROWS, ...defined({ status, cursor }) }
    const page = await readings
      .ask(asked, (docs, project, days) => docs.feedback(project, { ...days, ...query }))
      .catch(orDocsError)
    if (page instanceof DocsError) {
      if (n === 0) throw page
      break
    }
    for (const comment of page.comments) comments.set(comment.id, comment)
    read += page.read
    cursor = page.cursor
    if (!page.hasMore) return { comments: [...comments.values()], read, isWhole: true }
    if (cursor === undefined) break
  }
  return { comments: [...comments.values()], read, isWhole: false }
}

/** Groups comments by page and snippet, the group with the newest comment first. */
export function commentGaps(comments: readonly Comment[]): CommentGap[] {
  const groups = new Map<string, [Comment, ...Comment[]]>()
  for (const one of newestFirst(comments)) {
    if (bareWords(one.text) === "") continue
    const id = JSON.stringify([byOf(one), one.path, one.file, one.language])
    const group = groups.get(id)
    if (group) group.push(one)
    else groups.set(id, [one])
  }
  return [...groups.values()].map(gapOf)
}

function gapOf(group: readonly [Comment, ...Comment[]]): CommentGap {
  const [newest] = group
  const { path, file, language } = newest
  // Keeps the newest of several comments with the same words.
  const texts = new Map(group.toReversed().map(({ text }) => [bareWords(text), text]))
  return {
    kind: "comments",
    by: byOf(newest),
    path,
    ...defined({ file, language }),
    texts: [...texts.values()].toReversed().slice(0, MAX_TEXTS),
    written: group.length,
    keys: group.map(({ id }) => commentKey(id)),
  }
}

function byOf({ source }: Comment): CommentGap["by"] {
  return source === "agent" ? "agents" : "readers"
}

function newestFirst(comments: readonly Comment[]): Comment[] {
  return comments.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
}
