import type { z } from "zod"
import type { GitHubPulls, HourlyLimit, PullAnswer, PullFacts, PullRef } from "../ports/github.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { ask, type GitHubAnswer, type GitHubOptions } from "./exchange.ts"
import { phaseOf, verdictOf } from "./facts.ts"
import { pauseOf, rateOf } from "./limits.ts"
import { pullSchema, reviewsSchema } from "./schema.ts"

/** Reviews of one page: "The number of results per page (max 100)." */
const PAGE = 100
const MOST_PAGES = 5

type Failed = Exclude<PullAnswer, { kind: "facts" }>
type Outcome<T> = { value: T } | { failed: Failed }

/**
 * Pull requests by GitHub's REST API, asked conditionally. Never throws: a card can do without.
 * @param secrets what no answer may bring in
 */
export function createGitHubPulls(options: GitHubOptions, secrets: SecretFilter): GitHubPulls {
  async function canRead({ owner, repo }: Pick<PullRef, "owner" | "repo">) {
    // The list needs the permission that a poll needs; the repository itself is open to every token of it.
    const answer = await ask(options, `${repository({ owner, repo })}/pulls?per_page=1`)
    if (!answer || (answer.status !== 404 && pauseOf(answer) !== undefined)) return "unclear"
    if (answer.status === 200) return "yes"
    if (answer.status === 401) return "token"
    return answer.status === 404 || answer.status === 403 ? "no" : "unclear"
  }

  return {
    /**
     * "Accessing this endpoint does not count against your REST API rate limit"; 404 where limits are off.
     * Any server may say that; GitHub names each request.
     */
    async checkToken() {
      const answer = await ask(options, "/rate_limit")
      if (!answer || ![200, 401, 404].includes(answer.status)) return "unclear"
      if (!answer.headers["x-github-request-id"]) return "not_github"
      return answer.status === 401 ? "refused" : "works"
    },

    async read(ref, known) {
      const base = `${repository(ref)}/pulls/${ref.number}`
      const answer = await ask(options, base, known?.pullTag)
      const rate: { rate?: HourlyLimit } = answer ? { rate: rateOf(answer) } : {}
      const own = pullPart(answer, known, secrets)
      if ("failed" in own) {
        // A 404 stands for both: "GitHub uses a 404 Not Found response instead of a 403".
        const { kind } = own.failed
        if (kind !== "gone") return { ...own.failed, ...rate }
        const readable = await canRead(ref)
        if (readable === "yes") return { kind, ...rate }
        if (readable === "unclear") return { kind: "later", ...rate }
        const what = readable === "token" ? "token" : "repository"
        return { kind: "refused", what, ...rate }
      }
      if (own.value.phase !== "open")
        return { kind: "facts", facts: { ...own.value, ...NO_REVIEWS }, ...rate }
      // The tag of a pull request does not change by a review: reviews are asked for apart.
      const reviews = await reviewsPart(options, base, known, secrets)
      if ("failed" in reviews) return { ...reviews.failed, ...rate }
      return { kind: "facts", facts: { ...own.value, ...reviews.value }, ...rate }
    },
  }
}

/** Without their tag: what they say is read again once it counts. */
const NO_REVIEWS = { verdict: "none", reviewedAt: 0, reviewsTag: undefined } as const

function repository({ owner, repo }: Pick<PullRef, "owner" | "repo">): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`
}

type PullPart = Pick<PullFacts, "phase" | "by" | "updatedAt" | "pullTag">
type ReviewsPart = Pick<PullFacts, "verdict" | "reviewedAt" | "reviewsTag">

function pullPart(
  answer: GitHubAnswer | undefined,
  known: PullFacts | undefined,
  secrets: SecretFilter,
): Outcome<PullPart> {
  if (answer?.status === 304 && known) {
    const { phase, by, updatedAt, pullTag } = known
    return { value: { phase, by, updatedAt, pullTag } }
  }
  const read = parsed(answer, pullSchema)
  if ("failed" in read) return read
  const { value } = read
  const by = value.merged_by?.login
  return {
    value: {
      phase: phaseOf(value),
      by: by === undefined ? undefined : secrets.clean(by),
      updatedAt: value.updated_at,
      pullTag: tagOf(answer, secrets),
    },
  }
}

async function reviewsPart(
  options: GitHubOptions,
  base: string,
  known: PullFacts | undefined,
  secrets: SecretFilter,
): Promise<Outcome<ReviewsPart>> {
  const all: z.output<typeof reviewsSchema> = []
  let tag: string | undefined
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const path = `${base}/reviews?per_page=${PAGE}&page=${page}`
    const answer = await ask(options, path, page === 1 ? known?.reviewsTag : undefined)
    if (answer?.status === 304 && known) {
      const { verdict, reviewedAt, reviewsTag } = known
      return { value: { verdict, reviewedAt, reviewsTag } }
    }
    const read = parsed(answer, reviewsSchema)
    if ("failed" in read) return read
    all.push(...read.value)
    // The tag is that of one page: with more than one, a new review would not change the first.
    tag = page === 1 ? tagOf(answer, secrets) : undefined
    if (!answer?.headers.link?.includes('rel="next"')) break
  }
  return { value: { ...verdictOf(all), reviewsTag: tag } }
}

/** Longer ones are no tags of GitHub's. Characters. */
const LONGEST_TAG = 300

/** What is stored, and sent back to be compared: nothing that repeats a secret. */
function tagOf(answer: GitHubAnswer | undefined, { holds }: SecretFilter): string | undefined {
  const tag = answer?.headers.etag
  return tag === undefined || tag.length > LONGEST_TAG || holds(tag) ? undefined : tag
}

function parsed<S extends z.ZodType>(
  answer: GitHubAnswer | undefined,
  schema: S,
): Outcome<z.output<S>> {
  if (!answer) return { failed: { kind: "later" } }
  const pauseMs = pauseOf(answer)
  if (pauseMs !== undefined) return { failed: { kind: "later", pauseMs } }
  if (answer.status === 401) return { failed: { kind: "refused", what: "token" } }
  if (answer.status === 403) return { failed: { kind: "refused", what: "repository" } }
  if (answer.status === 404 || answer.status === 410) return { failed: { kind: "gone" } }
  const { success, data } = schema.safeParse(answer.data)
  return answer.status === 200 && success ? { value: data } : { failed: { kind: "later" } }
}
