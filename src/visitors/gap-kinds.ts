import { createHash } from "node:crypto"
import { z } from "zod"

const count = z.number().nonnegative()
const path = z.string()
/** Hashes or ids by which the bot knows again what was requested. */
const keys = z.array(z.string())

/** Comments under one page, or on one of its code snippets, newest first. */
const commentGap = z.object({
  kind: z.literal("comments"),
  by: z.enum(["readers", "agents"]),
  path,
  file: z.string().exactOptional(),
  language: z.string().exactOptional(),
  texts: z.array(z.string()),
  written: count,
  keys,
})
export type CommentGap = z.infer<typeof commentGap>

export const gap = z.discriminatedUnion("kind", [
  /** Question; `asked` counts conversations, the service's closest figure to people. */
  z.object({
    kind: z.literal("question"),
    text: z.string(),
    asked: count,
    path: path.exactOptional(),
    keys,
  }),
  /** Search; `lost` counts those after which nobody opened a page. */
  z.object({ kind: z.literal("search"), text: z.string(), hits: count, lost: count, keys }),
  z.object({ kind: z.literal("page"), path, up: count, down: count, keys }),
  commentGap,
])
export type Gap = z.infer<typeof gap>

const gaps = z.array(gap).exactOptional()

/** Gaps as cached, grouped and masked. A kind that the deployment lacks is absent. */
export const gapFacts = z.object({
  assistant: gaps,
  searches: gaps,
  /** Read only where there are no comments. */
  thumbs: gaps,
  /** Counts of questions; `isWhole`: the bot read all questions of the range. */
  questions: z.object({ read: count, unanswered: count, isWhole: z.boolean() }).exactOptional(),
})

export type GapFacts = z.infer<typeof gapFacts>

/** Hashes what identifies a gap: what readers wrote is not kept to know it again. */
export function gapKey(kind: Gap["kind"], what: string): string {
  return createHash("sha256").update(`${kind}:${what}`).digest("base64url").slice(0, 22)
}

export function commentKey(id: string): string {
  return gapKey("comments", id)
}
