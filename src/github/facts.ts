import type { z } from "zod"
import type { PullFacts } from "../ports/github.ts"
import type { pullSchema, reviewsSchema } from "./schema.ts"

type Pull = z.output<typeof pullSchema>

export function phaseOf({ state, draft, merged, merged_at }: Pull): PullFacts["phase"] {
  if (merged || merged_at) return "merged"
  if (state === "closed") return "closed"
  return draft ? "draft" : "open"
}

/** The last word of each reviewer counts; a comment changes none. Pure. @param reviews oldest first */
export function verdictOf(
  reviews: z.output<typeof reviewsSchema>,
): Pick<PullFacts, "verdict" | "reviewedAt"> {
  const last = new Map<string, string>()
  for (const { user, state } of reviews)
    if (state !== "COMMENTED" && state !== "PENDING") last.set(user?.login ?? "", state)
  const words = [...last.values()]
  return {
    verdict: words.includes("CHANGES_REQUESTED")
      ? "changes_requested"
      : words.includes("APPROVED")
        ? "approved"
        : "none",
    reviewedAt: Math.max(0, ...reviews.map(({ submitted_at }) => submitted_at ?? 0)),
  }
}
