import { z } from "zod"
import type { Pull } from "../jobs/job.ts"
import { truncate } from "../lib/truncate.ts"

/** Maximum length of a title, in code points. */
const MAX_TITLE = 200
/** Maximum length of a review's first words, in code points. */
const MAX_WORDS = 300

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const title = z.string().transform((text) => truncate(text, MAX_TITLE))
export const account = z
  .object({ login: z.string().max(100) })
  .nullish()
  .transform((it) => it?.login)
const count = z.number().int().min(0).nullish()

export const pullSchema = z.object({
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  merged_by: account,
  updated_at: moment,
  title: title.nullish(),
  head: z.object({ sha: z.string().max(100) }).nullish(),
  changed_files: count,
  additions: count,
  deletions: count,
})

type Files = Pick<NonNullable<Pull["size"]>, "names" | "changes">

/** Answer of "List reviews for a pull request", which "returns in chronological order". */
export const reviewsSchema = z.array(
  z
    .object({
      id: z.number(),
      user: account,
      state: z.string(),
      submitted_at: moment.optional(),
      author_association: z.string().nullish(),
      body: z.string().nullish(),
    })
    // Only this time orders reviews: one gets its id when the reviewer begins it, unseen by others.
    .transform(({ submitted_at: at = 0, ...review }) => ({ ...review, at })),
)

type Found = z.output<typeof pullSchema>
export type Reviews = z.output<typeof reviewsSchema>

/** Facts about a pull request that people see, and the time of its last activity in ms. */
export interface PullFacts
  extends Pick<Pull, "state" | "by" | "title" | "size" | "touchedAt" | "words"> {
  /** Id of the newest review that still requests changes, by a person with write access. */
  review?: string | undefined
}

/** Derives what the bot stores. @param reviews oldest first; none unless the pull is open */
export function factsOf(pull: Found, reviews: Reviews, files: Files): PullFacts {
  const phase = phaseOf(pull)
  // At GitHub, too, only a person "with admin, owner, or write access" decides about a merge.
  const standing = standingOf(reviews).filter(mayWrite)
  const requests = standing.filter(({ state }) => state === "CHANGES_REQUESTED")
  const approvals = standing.filter(({ state }) => state === "APPROVED")
  const approved = approvals.length > 0 ? "approved" : phase
  const verdict = requests.length > 0 ? "changes_requested" : approved
  const newest = newestOf(requests)
  return {
    state: phase === "open" ? verdict : phase,
    by: pull.merged_by ?? (newest ?? newestOf(approvals))?.user,
    title: pull.title || undefined,
    size: sizeSeen(pull, files),
    touchedAt: Math.max(pull.updated_at, ...reviews.map(({ at }) => at)),
    words: firstWordsOf(newest?.body ?? ""),
    review: newest && String(newest.id),
  }
}

function newestOf(reviews: Reviews): Reviews[number] | undefined {
  return reviews.toSorted((a, b) => a.at - b.at).at(-1)
}

/** Returns the beginning of a review or comment; undefined if it is blank. */
export function firstWordsOf(body: string): string | undefined {
  return truncate(body.trim(), MAX_WORDS) || undefined
}

export function phaseOf({ state, draft, merged, merged_at }: Found): NonNullable<Pull["state"]> {
  if (merged || merged_at) return "merged"
  if (state === "closed") return "closed"
  return draft ? "draft" : "open"
}

function sizeSeen(pull: Found, { names, changes }: Files): Pull["size"] {
  const { head, changed_files: files, additions: added, deletions: removed } = pull
  if (!head || files == null || added == null || removed == null) return undefined
  return { of: head.sha, files, added, removed, names, changes }
}

/** Keeps each reviewer's latest verdict, which their later comments do not change. */
function standingOf(reviews: Reviews): Reviews {
  const last = new Map<string, Reviews[number]>()
  for (const review of reviews) {
    if (review.state === "COMMENTED" || review.state === "PENDING") continue
    const reviewer = review.user ?? ""
    last.delete(reviewer)
    last.set(reviewer, review)
  }
  return [...last.values()]
}

/** Approximates write access by the author's association: GitHub's answers lack permissions. */
export function mayWrite({ author_association: how }: Pick<Reviews[number], "author_association">) {
  return how != null && ["OWNER", "MEMBER", "COLLABORATOR"].includes(how)
}
