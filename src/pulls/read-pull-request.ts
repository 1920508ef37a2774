import type { Pull, PullRef } from "../jobs/job.ts"
import { readFiles } from "./changed-files.ts"
import {
  type GitHubApi,
  type GitHubRequests,
  gitHubApi,
  type NoAnswer,
  type Page,
  pageOf,
  type Reading,
  readAnswer,
} from "./github-client.ts"
import {
  factsOf,
  firstWordsOf,
  type PullFacts,
  phaseOf,
  pullSchema,
  reviewsSchema,
} from "./pull-state-and-activity.ts"
import { commentsOf, type ReviewComment, reviewCommentsSchema } from "./review-comments.ts"

export type PullAnswer =
  | { kind: "facts"; facts: PullFacts; etags?: Pull["etags"] }
  /** Nothing has changed since the answer that the known `etags` are from. */
  | { kind: "unchanged" }
  | NoAnswer

type Known = Partial<Pick<Pull, "size" | "etags" | "review">>

/** Reads pull requests with one token. */
export class GitHubPulls {
  readonly #api: GitHubApi

  constructor(...of: Parameters<typeof gitHubApi>) {
    this.#api = gitHubApi(...of)
  }

  /** Reads a pull request. @param known its size and etags at the last poll */
  read(ref: PullRef, known: Known): Promise<Reading<PullAnswer>> {
    return readAnswer(this.#api, (requests) => readFacts(requests, addressOf(ref), known))
  }

  /** Reads reviewers' comments, oldest first. */
  comments(ref: PullRef): Promise<Reading<ReviewComment[] | NoAnswer>> {
    return readAnswer(this.#api, (requests) => readReviewComments(requests, addressOf(ref)))
  }
}

function addressOf({ owner, repo, number }: PullRef): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls/${number}`
}

/** Reads a pull request, its first files and, while it is open, its reviews. */
async function readFacts(
  requests: GitHubRequests,
  base: string,
  known: Known,
): Promise<PullAnswer> {
  const { size, etags } = known
  const reviewsPath = `${base}/reviews`
  const changed = etags && (await requests.readChanged(base, pullSchema, etags.pull))
  let firstReviews: Page<typeof reviewsSchema> | undefined
  if (etags && !changed) {
    const path = pageOf(reviewsPath, 1)
    if (etags.reviews !== undefined)
      firstReviews = await requests.readChanged(path, reviewsSchema, etags.reviews)
    if (!firstReviews) return { kind: "unchanged" }
  }
  const { data: pull, etag } = changed ?? (await requests.read(base, pullSchema))
  // The bot reads files once for each head commit.
  const isKnown = size !== undefined && size.of === pull.head?.sha
  const files = isKnown ? size : await readFiles(requests, base, pull)
  const isOpen = phaseOf(pull) === "open"
  const reviews = isOpen ? await requests.list(reviewsPath, reviewsSchema, firstReviews) : undefined
  const facts = factsOf(pull, reviews?.data ?? [], files)
  if (facts.review && !facts.words && facts.review !== known.review?.id)
    facts.words = await readFirstComment(requests, base, facts.review)
  return { kind: "facts", facts, etags: etagsOf(etag, reviews) }
}

/** Reads the first comment on a line of a review that says nothing else. */
async function readFirstComment(requests: GitHubRequests, base: string, review: string) {
  const { data } = await requests.read(pageOf(`${base}/comments`, 1), reviewCommentsSchema)
  const own = data.find(({ pull_request_review_id: of }) => String(of) === review)
  return firstWordsOf(own?.body ?? "")
}

async function readReviewComments(
  requests: GitHubRequests,
  base: string,
): Promise<ReviewComment[]> {
  const reviews = await requests.list(`${base}/reviews`, reviewsSchema)
  const onLines = await requests.list(`${base}/comments`, reviewCommentsSchema)
  return commentsOf(reviews.data, onLines.data)
}

/** Returns the etags that together tell whether anything has changed; undefined if one is missing. */
function etagsOf(pull: string | undefined, reviews: { etag: string | undefined } | undefined) {
  if (pull === undefined || (reviews && reviews.etag === undefined)) return undefined
  return { pull, reviews: reviews?.etag }
}
