import type { z } from "zod"
import type { PullFacts, PullSize, ReviewComment } from "../ports/github.ts"
import type { commentsSchema, pullSchema, reviewsSchema } from "./schema.ts"

type Pull = z.output<typeof pullSchema>
type Reviews = z.output<typeof reviewsSchema>

/** "How the author is associated with the repository": these may write to it. */
const WRITERS: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"])

export function phaseOf({ state, draft, merged, merged_at }: Pull): PullFacts["phase"] {
  if (merged || merged_at) return "merged"
  if (state === "closed") return "closed"
  return draft ? "draft" : "open"
}

/** Without file names, which are asked for apart; undefined where GitHub does not say it all. */
export function sizeOf(pull: Pull): Omit<PullSize, "names"> | undefined {
  const { head, changed_files: files, additions: added, deletions: removed } = pull
  if (!head || files == null || added == null || removed == null) return undefined
  return { of: head.sha, files, added, removed }
}

/** The last word of each reviewer counts; a comment changes none. Pure. @param reviews oldest first */
export function verdictOf(reviews: Reviews): Pick<PullFacts, "verdict" | "reviewedAt" | "review"> {
  const last = new Map<string, Reviews[number]>()
  for (const review of reviews) {
    if (review.state === "COMMENTED" || review.state === "PENDING") continue
    const name = review.user?.login ?? ""
    last.delete(name)
    last.set(name, review)
  }
  const standing = [...last.values()]
  const requests = standing.filter(({ state }) => state === "CHANGES_REQUESTED")
  const newest = requests.findLast((one) => mayWrite(one) && one.id !== undefined)
  const isApproved = standing.some(({ state }) => state === "APPROVED")
  return {
    verdict: requests.length > 0 ? "changes_requested" : isApproved ? "approved" : "none",
    reviewedAt: Math.max(0, ...reviews.map(({ submitted_at }) => submitted_at ?? 0)),
    review: newest && { id: String(newest.id), by: newest.user?.login },
  }
}

/** Picks what people with write access said, in reviews that were not dismissed. Pure. */
export function commentsOf(
  reviews: Reviews,
  onLines: z.output<typeof commentsSchema>,
): ReviewComment[] {
  const standing = reviews.filter(
    (one) => one.state !== "DISMISSED" && one.state !== "PENDING" && one.id !== undefined,
  )
  return standing.flatMap((review) => {
    const said = mayWrite(review) && review.body?.trim() ? [review] : []
    return [
      ...said.map((one) => ({
        review: String(one.id),
        by: one.user?.login,
        ...(one.state === "CHANGES_REQUESTED" ? { requestsChanges: true as const } : {}),
        text: one.body ?? "",
      })),
      ...onLines
        .filter((one) => one.pull_request_review_id === review.id && mayWrite(one))
        .flatMap(({ user, path, line, body }) =>
          body?.trim()
            ? {
                review: String(review.id),
                by: user?.login,
                path: path ?? undefined,
                line: line ?? undefined,
                text: body,
              }
            : [],
        ),
    ]
  })
}

function mayWrite({ author_association: how }: { author_association?: string | null | undefined }) {
  return how != null && WRITERS.has(how)
}
