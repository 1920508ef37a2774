import { createHash } from "node:crypto"
import { linesOf, unifiedDiff } from "../pages/unified-diff.ts"
import { commitsOf, type FileChange, type LocalPull, type Review } from "../pull.ts"

/** Returns "Get a pull request", of whose many fields these say what became of it. */
export function pullBody(pull: LocalPull) {
  const { number, id, title, state, draft, mergedAt, mergedBy, branch } = pull
  const lines = pull.files.map(({ before, after }) => linesOf(before, after))
  return {
    id,
    number,
    state,
    title,
    updated_at: time(pull.updatedAt),
    merged_at: time(mergedAt),
    draft,
    head: { ref: branch, sha: sha(`${id} ${commitsOf(pull)}`) },
    merged: mergedAt !== null,
    merged_by: mergedBy === null ? null : account(mergedBy),
    additions: lines.reduce((sum, { added }) => sum + added, 0),
    deletions: lines.reduce((sum, { removed }) => sum + removed, 0),
    changed_files: pull.files.length,
  }
}

/** Returns one row of "List reviews for a pull request". */
export function reviewBody(review: Review) {
  return {
    id: review.id,
    user: review.by === null ? null : account(review.by),
    body: review.body,
    state: review.state,
    author_association: review.association,
    submitted_at: time(review.at),
  }
}

/**
 * Returns the rows of "List review comments on a pull request": "By default, review comments are in
 * ascending order by ID." An outdated one has a null `line`.
 */
export function commentBodies({ reviews }: LocalPull) {
  return reviews.flatMap((review) =>
    review.comments.map(({ path, line, body }, index) => ({
      id: review.id * 100 + index,
      pull_request_review_id: review.id,
      path,
      line,
      subject_type: "line",
      user: review.by === null ? null : account(review.by),
      body,
      author_association: review.association,
    })),
  )
}

/** Returns one row of "List pull requests files". */
export function fileBody({ path, before, after }: FileChange) {
  return { filename: path, patch: unifiedDiff(before, after).join("\n") }
}

function account(login: string) {
  return { login, type: login.endsWith("[bot]") ? "Bot" : "User" }
}

/** Formats a time as GitHub does, without fractions of a second. */
function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString().replace(/\.\d+Z$/, "Z")
}

function sha(text: string): string {
  return createHash("sha1").update(text).digest("hex")
}
