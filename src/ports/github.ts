/** A pull request at GitHub; names as the link has them. */
export interface PullRef {
  owner: string
  repo: string
  number: number
}

/** How much a pull request changes, as of the head commit `of`; the first few file names. */
export interface PullSize {
  of: string
  files: number
  added: number
  removed: number
  names: string[]
}

/** What is known of a pull request, with the tags by which GitHub says that nothing has changed. */
export interface PullFacts {
  phase: "draft" | "open" | "merged" | "closed"
  /** Login of who merged it, where GitHub says it. */
  by?: string | undefined
  title?: string | undefined
  size?: PullSize | undefined
  /** When it was last changed, ms. */
  updatedAt: number
  pullTag?: string | undefined
  verdict: "none" | "approved" | "changes_requested"
  /** The newest review of somebody who may write there that requests changes and stands. */
  review?: { id: string; by?: string | undefined } | undefined
  /** When the last review was given, ms; 0 for none. */
  reviewedAt: number
  reviewsTag?: string | undefined
}

/** A comment of somebody with write access, in a review or about a line of a file. */
export interface ReviewComment {
  /** Id of its review. */
  review: string
  by?: string | undefined
  /** Did the review request changes? Absent for a comment on a line. */
  requestsChanges?: true
  path?: string | undefined
  /** Absent where the line is not in the file any more. */
  line?: number | undefined
  text: string
}

export type PullAnswer =
  | { kind: "facts"; facts: PullFacts }
  /** It was deleted; the repository can be read. */
  | { kind: "gone" }
  /** The token is refused, or may not read the repository. */
  | { kind: "refused"; what: "token" | "repository" }
  /** No answer for now. `pauseMs`: GitHub wants to be asked nothing at all for so long. */
  | { kind: "later"; pauseMs?: number }

/** How many requests an hour the token has, as far as GitHub says it. */
export interface HourlyLimit {
  limit: number
}

export interface GitHubPulls {
  /** @param known what is known from before: what has not changed costs nothing of the token's hour */
  read(ref: PullRef, known: PullFacts | undefined): Promise<PullAnswer & { rate?: HourlyLimit }>
  /** Comments of reviewers with write access that stand, oldest first; undefined without an answer. */
  comments(ref: PullRef): Promise<ReviewComment[] | undefined>
  /** Asks whether GitHub takes the token. Costs nothing of its hour. */
  checkToken(): Promise<"works" | "refused" | "not_github" | "unclear">
}
