import { z } from "zod"
import type { Config } from "../config/config.ts"
import type { Pull } from "../jobs/job.ts"
import type { PullRef } from "../jobs/pull-transitions.ts"
import { type Answer, boundedRetry, createHttpClient, type HttpClient } from "../lib/http-client.ts"
import { parseCleaned, type SecretFilter } from "../lib/secret-filter.ts"
import {
  commentsOf,
  commentsSchema,
  FILES_NAMED,
  factsOf,
  filesSchema,
  firstWordsOf,
  type PullFacts,
  phaseOf,
  pullSchema,
  type ReviewComment,
  reviewsSchema,
} from "./pull-state-and-activity.ts"
import { changesOf, isSmall, MAX_SHOWN } from "./small-diff.ts"

/** Number of rows on a page, GitHub's maximum: "The number of results per page (max 100)." */
const PAGE = 100
const MAX_PAGES = 5
/** Maximum redirects: "GitHub redirects API requests where appropriate"; more suggest a loop. */
const MAX_REDIRECTS = 3
/** Wait if GitHub names none: "Otherwise, wait for at least one minute before retrying." */
const SECONDARY_MS = 60_000

export type PullAnswer =
  | { kind: "facts"; facts: PullFacts; etags?: Pull["etags"] }
  /** Nothing has changed since the answer that the known `etags` are from. */
  | { kind: "unchanged" }
  /** Refusal of the token, or of a repository that it may not read or that is gone. */
  | { kind: "refused"; what: "token" | "repository" }
  /** No usable answer. `pauseMs` is set if GitHub demands a pause. */
  | { kind: "later"; pauseMs?: number }

/** Requests made so far for one answer that count toward the token's hour. */
interface Spent {
  counted: number
  /** Why the last request got no answer. */
  cause?: unknown
}

type Known = Partial<Pick<Pull, "size" | "etags" | "review">>

/** Maximum length of an etag in characters; GitHub's have 68. Longer ones are not used. */
const MAX_ETAG = 100

/** Reads pull requests. Never throws, because cards work without them. */
export class GitHubPulls {
  readonly #apiUrl: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #secrets: SecretFilter
  readonly #http: Pick<HttpClient, "send">

  constructor(
    { token, apiUrl, timeoutMs }: NonNullable<Config["github"]> & { timeoutMs: number },
    secrets: SecretFilter,
    http: Pick<HttpClient, "send"> = createHttpClient(timeoutMs),
  ) {
    this.#apiUrl = apiUrl
    this.#secrets = secrets
    this.#http = http
    this.#headers = {
      authorization: `Bearer ${token.reveal()}`,
      "user-agent": "docs-agent-bot",
      "x-github-api-version": "2022-11-28",
    }
  }

  /**
   * Asks whether GitHub accepts the token. "Accessing this endpoint does not count against your
   * REST API rate limit"; it answers 404 if limits are off. Any server may answer that, but only
   * GitHub's answers carry a request id, which a proxy may drop, or have its body.
   */
  async checkToken(): Promise<TokenCheck> {
    const spent: Spent = { counted: 0 }
    const answer = await this.#get("/rate_limit", spent)
    if (!answer) return { result: "unclear", cause: spent.cause }
    if (requestedPause(answer) !== undefined) return { result: "limited" }
    if (![200, 401, 404].includes(answer.status)) return { result: "unclear" }
    const body = answer.body.toString("utf8")
    const isGitHub = /"(documentation_url|resources)":/.test(body)
    if (!isGitHub && !answer.headers.has("x-github-request-id")) return { result: "not_github" }
    if (answer.status === 401) return { result: "refused" }
    const { data } = limitsSchema.safeParse(parseCleaned(this.#secrets, body))
    const { remaining = 1, reset = 0 } = data?.resources.core ?? {}
    return remaining > 0 ? { result: "works" } : { result: "limited", until: reset * 1000 }
  }

  /** Reads a pull request. @param known its size and etags at the last poll */
  read(ref: PullRef, known: Known): Promise<Reading<PullAnswer>> {
    return reading((spent) => this.#facts(addressOf(ref), known, spent))
  }

  /** Reads reviewers' comments, oldest first. */
  comments(ref: PullRef): Promise<Reading<ReviewComment[] | PullAnswer>> {
    return reading((spent) => this.#comments(addressOf(ref), spent))
  }

  /**
   * Sends one GET. Only the configured API gets the token. Undefined if no answer came.
   * @param etag of the known answer: GitHub counts no request that it answers with 304
   */
  async #get(path: string, spent: Spent, etag?: string): Promise<Answer | undefined> {
    let url = `${this.#apiUrl}${path}`
    const all = etag === undefined ? this.#headers : { ...this.#headers, "if-none-match": etag }
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await this.#http.send(url, { headers: all }).catch((error: unknown) => {
        spent.cause = error
        return undefined
      })
      if (answer?.status !== 304) spent.counted += 1
      if (!answer || ![301, 302, 307, 308].includes(answer.status)) return answer
      const location = answer.headers.get("location") ?? ""
      url = URL.canParse(location, url) ? new URL(location, url).href : ""
      if (!url.startsWith(`${this.#apiUrl}/`)) return undefined
    }
    return undefined
  }

  /** Reads a JSON answer, and whether there is another page. @throws NotRead */
  async #read<S extends z.ZodType>(path: string, schema: S, spent: Spent) {
    return this.#parsed(await this.#get(path, spent), schema)
  }

  /** Reads a JSON answer, or undefined if it is still the one with this etag. @throws NotRead */
  async #readChanged<S extends z.ZodType>(path: string, schema: S, spent: Spent, etag: string) {
    const answer = await this.#get(path, spent, etag)
    return answer?.status === 304 ? undefined : this.#parsed(answer, schema)
  }

  #parsed<S extends z.ZodType>(answer: Answer | undefined, schema: S) {
    if (answer?.status !== 200) throw new NotRead(failureOf(answer))
    const { data, success } = schema.safeParse(
      parseCleaned(this.#secrets, answer.body.toString("utf8")),
    )
    if (!success) throw new NotRead({ kind: "later" })
    const hasMore = answer.headers.get("link")?.includes('rel="next"') === true
    const etag = answer.headers.get("etag") ?? ""
    const isUsable = etag !== "" && etag.length <= MAX_ETAG && !this.#secrets.holds(etag)
    return { data, hasMore, etag: isUsable ? etag : undefined }
  }

  /** Reads a list, at most `MAX_PAGES` pages of it. @param first its first page @throws NotRead */
  async #list<S extends z.ZodArray>(
    path: string,
    schema: S,
    spent: Spent,
    first?: Page<S>,
  ): Promise<Page<S>> {
    const start = first ?? (await this.#read(pageOf(path, 1), schema, spent))
    const rows: unknown[] = [...start.data]
    let { hasMore } = start
    for (let page = 2; hasMore && page <= MAX_PAGES; page += 1) {
      const next = await this.#read(pageOf(path, page), schema, spent)
      rows.push(...next.data)
      hasMore = next.hasMore
    }
    // What changes on a later page leaves the first page's etag as it is.
    const etag = start.hasMore ? undefined : start.etag
    return { data: rows as z.output<S>, hasMore, etag }
  }

  /** Reads a pull request, its first files and, while it is open, its reviews. @throws NotRead */
  async #facts(base: string, known: Known, spent: Spent): Promise<PullAnswer> {
    const { size, etags } = known
    const reviewsPath = `${base}/reviews`
    const changed = etags && (await this.#readChanged(base, pullSchema, spent, etags.pull))
    let firstReviews: Page<typeof reviewsSchema> | undefined
    if (etags && !changed) {
      const path = pageOf(reviewsPath, 1)
      if (etags.reviews !== undefined)
        firstReviews = await this.#readChanged(path, reviewsSchema, spent, etags.reviews)
      if (!firstReviews) return { kind: "unchanged" }
    }
    const { data: pull, etag } = changed ?? (await this.#read(base, pullSchema, spent))
    // The bot reads files once for each head commit.
    const isKnown = size !== undefined && size.of === pull.head?.sha
    const files = isKnown ? size : await this.#filesOf(base, pull, spent)
    const isOpen = phaseOf(pull) === "open"
    const reviews = isOpen
      ? await this.#list(reviewsPath, reviewsSchema, spent, firstReviews)
      : undefined
    const found = factsOf(pull, reviews?.data ?? [], files)
    if (found.review && !found.words && found.review !== known.review?.id)
      found.words = await this.#firstComment(base, found.review, spent)
    return { kind: "facts", facts: found, etags: etagsOf(etag, reviews) }
  }

  /** Reads the first files' names and, of a small change, all changed lines. @throws NotRead */
  async #filesOf(base: string, pull: z.output<typeof pullSchema>, spent: Spent) {
    const isShown = isSmall(pull)
    const most = isShown ? MAX_SHOWN : FILES_NAMED
    const { data } = await this.#read(`${base}/files?per_page=${most}`, filesSchema, spent)
    const names = data.slice(0, FILES_NAMED).map(({ filename }) => filename)
    return { names, changes: isShown ? changesOf(data) : undefined }
  }

  /** Reads the first comment on a line of a review that says nothing else. @throws NotRead */
  async #firstComment(base: string, review: string, spent: Spent) {
    const { data } = await this.#read(`${base}/comments?per_page=${PAGE}`, commentsSchema, spent)
    const own = data.find(({ pull_request_review_id: of }) => String(of) === review)
    return firstWordsOf(own?.body ?? "")
  }

  async #comments(base: string, spent: Spent): Promise<ReviewComment[]> {
    const reviews = await this.#list(`${base}/reviews`, reviewsSchema, spent)
    const onLines = await this.#list(`${base}/comments`, commentsSchema, spent)
    return commentsOf(reviews.data, onLines.data)
  }
}

type Page<S extends z.ZodType> = { data: z.output<S>; hasMore: boolean; etag: string | undefined }

/** Answer, and how many requests for it GitHub counted. */
type Reading<Of> = Spent & { answer: Of }

type TokenCheck =
  | { result: "works" | "refused" | "not_github" }
  /** `cause`: why no answer came, if none did. */
  | { result: "unclear"; cause?: unknown }
  /** `until`: when GitHub accepts requests again, in ms, if it says so. */
  | { result: "limited"; until?: number }

const limitsSchema = z.object({
  resources: z.object({ core: z.object({ remaining: z.number(), reset: z.number() }) }),
})

async function reading<Of>(read: (spent: Spent) => Promise<Of>) {
  const spent: Spent = { counted: 0 }
  const answer = await read(spent).catch(answerIn)
  return { answer, counted: spent.counted }
}

function pageOf(path: string, page: number): string {
  return `${path}?per_page=${PAGE}&page=${page}`
}

/** Returns the etags that together tell whether anything has changed; undefined if one is missing. */
function etagsOf(pull: string | undefined, reviews: { etag: string | undefined } | undefined) {
  if (pull === undefined || (reviews && reviews.etag === undefined)) return undefined
  return { pull, reviews: reviews?.etag }
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
