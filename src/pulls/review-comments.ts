import { z } from "zod"
import { joined, nameInLine, ours, type Quoted, quoteLines } from "../lib/mark-quotes.ts"
import { fitting, truncate } from "../lib/truncate.ts"
import { account, mayWrite, type Reviews } from "./pull-state-and-activity.ts"

/** Answer of "List review comments on a pull request": "in ascending order by ID". */
export const reviewCommentsSchema = z.array(
  z
    .object({
      pull_request_review_id: z.number().nullish(),
      user: account,
      author_association: z.string().nullish(),
      path: z.string().nullish(),
      line: z.number().nullish(),
      subject_type: z.string().nullish(),
      body: z.string().nullish(),
    })
    .transform(({ subject_type: on, line, ...comment }) => {
      return { ...comment, line: on === "file" ? ("whole_file" as const) : line }
    }),
)

export interface ReviewComment {
  by?: string | undefined
  path?: string | null | undefined
  /** Absent for an outdated comment: its line has changed. */
  line?: number | "whole_file" | null | undefined
  /** Id of the review that it belongs to. */
  review: string
  requestsChanges: boolean
  text: string
}

/** Lists submitted comments by people with write access; leaves out dismissed and empty ones. */
export function commentsOf(
  reviews: Reviews,
  onLines: z.output<typeof reviewCommentsSchema>,
): ReviewComment[] {
  return reviews
    .filter(({ state }) => !["DISMISSED", "PENDING"].includes(state))
    .flatMap(({ id, state, ...review }) => {
      const requestsChanges = state === "CHANGES_REQUESTED"
      const own = { ...review, path: undefined, line: undefined, requestsChanges }
      const lines = onLines.filter((one) => one.pull_request_review_id === id)
      return [own, ...lines.map((one) => ({ ...one, requestsChanges: false }))]
        .filter((one) => mayWrite(one) && one.body?.trim())
        .map(({ user: by, path, line, body, requestsChanges }) => {
          return { by, path, line, review: String(id), requestsChanges, text: body ?? "" }
        })
    })
}

/** Maximum lengths, in code points, of all quotes together and of one comment. */
const MAX_ALL = 12_000
const MAX_COMMENT = 2_000

/** Maximum length of a login or path, in code points, so that it fits on one line. */
const MAX_NAME = 300

export type ReviewRequest = NonNullable<ReturnType<typeof composeReview>>

/**
 * Quotes reviewers' new comments with file and line; returns undefined if there are none. Pure.
 * @param comments oldest first
 * @param sent ids of the reviews in earlier follow-ups
 */
export function composeReview(comments: readonly ReviewComment[], sent: readonly string[] = []) {
  const open = comments.filter(({ review }) => !sent.includes(review))
  if (open.length === 0) return undefined
  const quoted = fitting(open.map(quoteComment), MAX_ALL)
  const left = open.length - quoted.length
  const cut = left > 0 ? ours` The last ${left} were left out; see the pull request.` : ours``
  const context = ours`Comments of the pull request's reviewers, quoted, oldest first.${cut}\n\n${joined(quoted, "\n\n")}`
  return {
    prompt: { words: "Address the review comments on this pull request.", context },
    reviews: [...new Set(open.map(({ review }) => review))],
  }
}

function quoteComment(comment: ReviewComment): Quoted {
  const { by = "A reviewer", requestsChanges, path, line, text } = comment
  const onLine = line == null ? ", on a line that has changed" : `, line ${line}`
  const where = line === "whole_file" ? "" : onLine
  const place = path ? ` on ${nameInLine(path, MAX_NAME)}${where}` : ""
  const did = requestsChanges ? " requested changes" : place ? "" : " commented"
  return quoteLines(
    `${nameInLine(by, MAX_NAME)}${did}${place}:\n${truncate(text.trim(), MAX_COMMENT)}`,
  )
}
