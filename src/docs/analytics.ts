import { z } from "zod"
import type { DaysQuery, DocsApi } from "../ports/docs-api.ts"
import { mask } from "../text/mask.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { parse } from "./schema.ts"

/** One GET below the project's analytics. @returns the body. Throws DocsError. */
type ReadAnalytics = (operation: string, project: string, words: URLSearchParams) => Promise<string>

type AnalyticsReads = Pick<DocsApi, "assistant" | "searches" | "thumbs">

const count = z.number().nonnegative()
/** More of a cursor is none that a service would give; code units. */
const LONGEST_CURSOR = 2000

/**
 * Nothing of an answer is taken but what is named here: not what the assistant said, nor who may be
 * written to (`response`, `contact`, `comment`).
 */
const assistantPage = z.object({
  conversations: z.array(
    z.object({
      id: z.string(),
      conversationId: z.string().nullish(),
      query: z.string(),
      resolutionStatus: z.string(),
      pageUrl: z.string().nullish(),
    }),
  ),
  nextCursor: z.string().max(LONGEST_CURSOR).nullish(),
  hasMore: z.boolean(),
})

const searchPage = z.object({
  searches: z.array(
    z.object({
      searchQuery: z.string(),
      hits: count,
      ctr: count,
      topClickedPage: z.string().nullish(),
    }),
  ),
})

const thumbsPage = z.object({
  feedback: z.array(z.object({ path: z.string(), thumbsUp: count, thumbsDown: count })),
})

/**
 * What readers asked, searched for and found no help in. What is personal in their words is masked
 * here, at the edge: nothing behind it ever holds more.
 */
export function analyticsReads(read: ReadAnalytics, { clean }: SecretFilter): AnalyticsReads {
  const words = (text: string) => clean(mask(text))
  const pathIn = (address: string) => words(pathOf(address))

  return {
    async assistant(project, { cursor, ...days }) {
      const query = wordsOf(days, cursor === undefined ? {} : { cursor })
      const body = await read("assistant", project, query)
      const { conversations, nextCursor, hasMore } = parse("assistant", assistantPage, body)
      const questions = conversations.map(({ resolutionStatus, query: asked, ...turn }) => {
        const isAnswered = resolutionStatus !== "unanswered"
        return {
          talk: turn.conversationId ?? turn.id,
          // An answered question shows nothing.
          text: isAnswered ? "" : words(asked),
          isAnswered,
          ...(turn.pageUrl ? { path: pathIn(turn.pageUrl) } : {}),
        }
      })
      // The same cursor again would read the same page for ever.
      const goesOn = hasMore && nextCursor && nextCursor !== cursor
      return { questions, ...(goesOn ? { next: nextCursor } : {}) }
    },

    async searches(project, days) {
      const { searches } = parse(
        "searches",
        searchPage,
        await read("searches", project, wordsOf(days)),
      )
      return searches.map(({ searchQuery, hits, ctr, topClickedPage }) => ({
        text: words(searchQuery),
        hits,
        clicks: ctr,
        ...(topClickedPage ? { path: pathIn(topClickedPage) } : {}),
      }))
    },

    async thumbs(project, days) {
      const body = await read("feedback/by-page", project, wordsOf(days))
      const { feedback } = parse("feedback/by-page", thumbsPage, body)
      return feedback.map(({ path, thumbsUp, thumbsDown }) => ({
        path: pathIn(path),
        up: thumbsUp,
        down: thumbsDown,
      }))
    },
  }
}

function wordsOf({ dateFrom, dateTo, limit }: DaysQuery, more: { cursor?: string } = {}) {
  return new URLSearchParams({ dateFrom, dateTo, limit: String(limit), ...more })
}

/** The path of an address as people read it; what stands behind `?` and `#` may be about one reader. */
function pathOf(address: string): string {
  const [bare = ""] = address.split(/[?#]/, 1)
  const path = bare.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "") || "/"
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
