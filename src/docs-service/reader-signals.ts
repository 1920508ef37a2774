import { z } from "zod"
import { maskReaderText } from "../lib/mask-personal-data.ts"

// These schemas mask personal details, so that no later code ever sees them. They read only the
// fields named here, and never the assistant's text or contact data (`response`, `contact`).

const count = z.number().nonnegative()
const words = z.string().transform(maskReaderText)
const page = z.string().transform((address) => maskReaderText(pathOf(address)))
const optionalPage = page.nullish().transform((path) => path || undefined)

export type Questions = z.output<typeof assistantSchema>

export const assistantSchema = z
  .object({
    conversations: z.array(
      z
        .object({
          id: z.string(),
          conversationId: z.string().nullish(),
          query: words,
          resolutionStatus: z.string(),
          pageUrl: optionalPage,
        })
        .transform(({ id, conversationId, query, resolutionStatus, pageUrl }) => {
          const isAnswered = resolutionStatus !== "unanswered"
          // Drops the text of an answered question, because only unanswered ones are shown.
          const text = isAnswered ? "" : query
          return { conversation: conversationId ?? id, text, isAnswered, path: pageUrl }
        }),
    ),
    hasMore: z.boolean(),
  })
  .transform(({ conversations, hasMore }) => ({ questions: conversations, isWhole: !hasMore }))

export type Search = z.output<typeof searchesSchema>[number]

export const searchesSchema = z
  .object({
    searches: z.array(
      z
        .object({ searchQuery: words, hits: count, ctr: count })
        // `ctr` may be a share or a percentage; `visitors/read-gaps.ts` infers which.
        .transform(({ searchQuery: text, hits, ctr: clicks }) => ({ text, hits, clicks })),
    ),
  })
  .transform(({ searches }) => searches)

/** Comment of a reader, of an AI agent (`agent`), or on a code snippet (`code_snippet`). */
export type Comment = z.output<typeof commentsSchema>[number]

const optionalWords = words.nullish().transform((text) => text || undefined)

export const feedbackSchema = z
  .object({
    feedback: z.array(
      z
        .object({
          id: z.string(),
          path: page,
          comment: optionalWords,
          createdAt: z.iso.datetime({ offset: true }).nullish(),
          source: z.string(),
          filename: optionalWords,
          language: optionalWords,
        })
        .transform(({ comment: text, createdAt, filename: file, ...entry }) => {
          return { ...entry, text, file, at: createdAt ? Date.parse(createdAt) : undefined }
        }),
    ),
    hasMore: z.boolean(),
    nextCursor: z.string().nullish(),
  })
  // Thumbs without words are counted elsewhere.
  .transform(({ feedback, hasMore, nextCursor }) => {
    const comments = feedback.flatMap((entry) => {
      const { text } = entry
      return text === undefined ? [] : [{ ...entry, text }]
    })
    return { comments, read: feedback.length, hasMore, cursor: nextCursor ?? undefined }
  })

/** Shape of comments that the bot has read and cached. */
export const commentsSchema = z.array(
  z.object({
    id: z.string(),
    path: z.string(),
    text: z.string(),
    source: z.string(),
    file: z.string().optional(),
    language: z.string().optional(),
    at: z.number().optional(),
  }),
)

export type PageThumbs = z.output<typeof thumbsSchema>[number]

export const thumbsSchema = z
  .object({
    feedback: z.array(
      z
        .object({ path: page, thumbsUp: count, thumbsDown: count })
        .transform(({ path, thumbsUp: up, thumbsDown: down }) => ({ path, up, down })),
    ),
  })
  .transform(({ feedback }) => feedback)

/** Returns the readable path of a URL, without the query and hash, which may identify a reader. */
export function pathOf(address: string): string {
  const [bare = ""] = address.split(/[?#]/, 1)
  const path = bare.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "") || "/"
  try {
    return decodeURI(path).normalize()
  } catch {
    return path
  }
}
