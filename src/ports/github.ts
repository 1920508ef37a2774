/** A pull request at GitHub; names as the link has them. */
export interface PullRef {
  owner: string
  repo: string
  number: number
}

/** What is known of a pull request, with the tags by which GitHub says that nothing has changed. */
export interface PullFacts {
  phase: "draft" | "open" | "merged" | "closed"
  /** Login of who merged it, where GitHub says it. */
  by?: string | undefined
  /** When it was last changed, ms. */
  updatedAt: number
  pullTag?: string | undefined
  verdict: "none" | "approved" | "changes_requested"
  /** When the last review was given, ms; 0 for none. */
  reviewedAt: number
  reviewsTag?: string | undefined
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
  /** Asks whether GitHub takes the token. Costs nothing of its hour. */
  checkToken(): Promise<"works" | "refused" | "not_github" | "unclear">
}
