import { z } from "zod"
import { mask } from "../text/mask.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import type { CallService } from "./connection.ts"
import { parse } from "./schema.ts"

const count = z.number().nonnegative()

export interface DaysQuery {
  /** `YYYY-MM-DD`, first UTC day. */
  dateFrom: string
  /** `YYYY-MM-DD`, the first UTC day NOT included. */
  dateTo: string
  limit: number
}

/**
 * Reads only the fields named here, and so neither the assistant's text nor contact data
 * (`response`, `contact`, `comment`).
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

/** Builds the request for a report on these days. */
export function analyticsRequest(what: string, query: DaysQuery & { offset?: number }) {
  const named = Object.entries(query).map(([name, is]): [string, string] => [name, `${is}`])
  const search = new URLSearchParams(named)
  return { path: `/v1/analytics/{projectId}/${what}?${search.toString()}` }
}

/**
 * Reads the questions, searches and pages that left readers without help. Masks personal details
 * here, so that no later code ever sees them.
 */
export function analyticsReads(call: CallService, { clean }: SecretFilter) {
  const words = (text: string) => clean(mask(text))
  const pathIn = (address: string) => words(pathOf(address))

  return {
    assistant: (project: string, query: DaysQuery) =>
      call("assistant", project, analyticsRequest("assistant", query), (body) => {
        const { conversations, hasMore } = parse("assistant", assistantPage, body)
        const questions = conversations.map(({ resolutionStatus, query: asked, ...turn }) => {
          const isAnswered = resolutionStatus !== "unanswered"
          return {
            /** Identifies the conversation. */
            talk: turn.conversationId ?? turn.id,
            // An answered question shows nothing.
            text: isAnswered ? "" : words(asked),
            isAnswered,
            ...(turn.pageUrl ? { path: pathIn(turn.pageUrl) } : {}),
          }
        })
        return { questions, isWhole: !hasMore }
      }),

    searches: (project: string, query: DaysQuery) =>
      call("searches", project, analyticsRequest("searches", query), (body) =>
        parse("searches", searchPage, body).searches.map((search) => ({
          text: words(search.searchQuery),
          hits: search.hits,
          /** A share or a percentage: the service's API does not say which. */
          clicks: search.ctr,
          ...(search.topClickedPage ? { path: pathIn(search.topClickedPage) } : {}),
        })),
      ),

    thumbs: (project: string, query: DaysQuery) =>
      call("thumbs", project, analyticsRequest("feedback/by-page", query), (body) =>
        parse("thumbs", thumbsPage, body).feedback.map(({ path, thumbsUp, thumbsDown }) => ({
          path: pathIn(path),
          up: thumbsUp,
          down: thumbsDown,
        })),
      ),
  }
}

type Answer<Read extends keyof ReturnType<typeof analyticsReads>> = Awaited<
  ReturnType<ReturnType<typeof analyticsReads>[Read]>
>
export type AssistantQuestion = Answer<"assistant">["questions"][number]
export type Search = Answer<"searches">[number]
export type PageThumbs = Answer<"thumbs">[number]

/** Returns the readable path of a URL, without the query and the hash, which may concern one reader. */
function pathOf(address: string): string {
  const [bare = ""] = address.split(/[?#]/, 1)
  const path = bare.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "") || "/"
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
