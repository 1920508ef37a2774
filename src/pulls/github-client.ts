import type { z } from "zod"
import type { Config } from "../config/config.ts"
import type { Pull } from "../jobs/job.ts"
import { type Answer, boundedRetry, createHttpClient } from "../lib/http-client.ts"
import { parseCleaned, type SecretFilter } from "../lib/secret-filter.ts"
import {
  commentsOf,
  commentsSchema,
  FILES_NAMED,
  factsOf,
  filesSchema,
  type PullFacts,
  type PullRef,
  phaseOf,
  pullSchema,
  type ReviewComment,
  reviewsSchema,
} from "./pull-state.ts"

/** Number of rows on a page, GitHub's maximum: "The number of results per page (max 100)." */
const PAGE = 100
const MAX_PAGES = 5
/** Maximum redirects: "GitHub redirects API requests where appropriate"; more suggest a loop. */
const MAX_REDIRECTS = 3
/** Wait if GitHub names none: "Otherwise, wait for at least one minute before retrying." */
const SECONDARY_MS = 60_000

export type PullAnswer =
  | { kind: "facts"; facts: PullFacts }
  /** Refusal of the token, or of a repository that it may not read or that is gone. */
  | { kind: "refused"; what: "token" | "repository" }
  /** No usable answer. `pauseMs` is set if GitHub demands a pause. */
  | { kind: "later"; pauseMs?: number }

export type GitHubPulls = ReturnType<typeof createGitHubPulls>

/** Reads pull requests. Never throws, because cards work without them. */
export function createGitHubPulls(
  { token, apiUrl, timeoutMs }: NonNullable<Config["github"]> & { timeoutMs: number },
  secrets: SecretFilter,
) {
  const http = createHttpClient(timeoutMs)
  const headers = {
    authorization: `Bearer ${token.reveal()}`,
    "user-agent": "docs-agent-bot",
    "x-github-api-version": "2022-11-28",
  }

  /** Sends one GET. Only the configured API gets the token. Undefined if no answer came. */
  async function get(path: string): Promise<Answer | undefined> {
    let url = `${apiUrl}${path}`
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await http.send(url, { headers }).catch(() => undefined)
      if (!answer || ![301, 302, 307, 308].includes(answer.status)) return answer
      const location = answer.headers.get("location") ?? ""
      url = URL.canParse(location, url) ? new URL(location, url).href : ""
      if (!url.startsWith(`${apiUrl}/`)) return undefined
    }
    return undefined
  }

  /** Reads a JSON answer, and whether there is another page. @throws NotRead */
  async function read<S extends z.ZodType>(path: string, schema: S) {
    const answer = await get(path)
    if (answer?.status !== 200) throw new NotRead(failureOf(answer))
    const parsed = schema.safeParse(parseCleaned(secrets, answer.body.toString("utf8")))
    if (!parsed.success) throw new NotRead({ kind: "later" })
    return { ...parsed, hasMore: answer.headers.get("link")?.includes('rel="next"') === true }
  }

  /** Reads a list, at most `MAX_PAGES` pages of it. @throws NotRead */
  async function list<S extends z.ZodArray>(path: string, schema: S): Promise<z.output<S>> {
    const rows: unknown[] = []
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { data, hasMore } = await read(`${path}?per_page=${PAGE}&page=${page}`, schema)
      rows.push(...data)
      if (!hasMore) break
    }
    return rows as z.output<S>
  }

  /** Reads a pull request, its first files and, while it is open, its reviews. @throws NotRead */
  async function facts(base: string, known: Pull["size"]): Promise<PullAnswer> {
    const { data: pull } = await read(base, pullSchema)
    // The bot reads file names once for each head commit.
    const names =
      known && known.of === pull.head?.sha
        ? known.names
        : (await read(`${base}/files?per_page=${FILES_NAMED}`, filesSchema)).data
    const reviews = phaseOf(pull) === "open" ? await list(`${base}/reviews`, reviewsSchema) : []
    return { kind: "facts", facts: factsOf(pull, reviews, names) }
  }

  async function comments(base: string): Promise<ReviewComment[]> {
    const reviews = await list(`${base}/reviews`, reviewsSchema)
    return commentsOf(reviews, await list(`${base}/comments`, commentsSchema))
  }

  return {
    /**
     * Asks whether GitHub accepts the token. "Accessing this endpoint does not count against your
     * REST API rate limit"; it answers 404 if limits are off. Any server may answer that, but only
     * GitHub's answers carry a request id, which a proxy may drop, or have its body.
     */
    async checkToken(): Promise<"works" | "refused" | "not_github" | "limited" | "unclear"> {
      const answer = await get("/rate_limit")
      if (answer && requestedPause(answer) !== undefined) return "limited"
      if (!answer || ![200, 401, 404].includes(answer.status)) return "unclear"
      const isGitHub = /"(documentation_url|resources)":/.test(answer.body.toString("utf8"))
      if (!isGitHub && !answer.headers.has("x-github-request-id")) return "not_github"
      return answer.status === 401 ? "refused" : "works"
    },

    /** Reads a pull request. @param known the size at the last poll */
    read: (ref: PullRef, known: Pull["size"]): Promise<PullAnswer> =>
      facts(addressOf(ref), known).catch(answerIn),

    /** Reads reviewers' comments, oldest first. */
    comments: (ref: PullRef): Promise<ReviewComment[] | PullAnswer> =>
      comments(addressOf(ref)).catch(answerIn),
  }
}

class NotRead extends Error {
  override name = "NotRead"
  readonly answer: PullAnswer

  constructor(answer: PullAnswer) {
    super(answer.kind)
    this.answer = answer
  }
}

function answerIn(error: unknown): PullAnswer {
  if (error instanceof NotRead) return error.answer
  throw error
}

function addressOf({ owner, repo, number }: PullRef): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls/${number}`
}

function failureOf(answer: Answer | undefined): PullAnswer {
  if (!answer) return { kind: "later" }
  const pauseMs = requestedPause(answer)
  if (pauseMs !== undefined) return { kind: "later", pauseMs }
  if (answer.status === 401) return { kind: "refused", what: "token" }
  // GitHub's docs, on private resources: "GitHub uses a 404 Not Found response instead of a 403".
  const isGone = [403, 404, 410].includes(answer.status)
  return isGone ? { kind: "refused", what: "repository" } : { kind: "later" }
}

/**
 * Returns the wait that an answer demands, if it reports a rate limit. "If the retry-after response
 * header is present, you should not retry until after that many seconds. If the
 * x-ratelimit-remaining header is 0, … until after the time specified by the x-ratelimit-reset
 * header."
 */
function requestedPause({ status, headers, body }: Answer): number | undefined {
  if (status !== 403 && status !== 429) return undefined
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  if (Number.isFinite(seconds)) return boundedRetry(seconds * 1000)
  if (headers.get("x-ratelimit-remaining") === "0") {
    // `reset` is by GitHub's clock, which an answer usually contains as `date`.
    const now = Date.parse(headers.get("date") ?? "") || Date.now()
    const left = Number(headers.get("x-ratelimit-reset") ?? Number.NaN) * 1000 - now
    return Number.isFinite(left) ? boundedRetry(left) : SECONDARY_MS
  }
  const isSecondary = /rate limit/i.test(body.toString("utf8"))
  return status === 429 || isSecondary ? SECONDARY_MS : undefined
}
