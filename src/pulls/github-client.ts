import { z } from "zod"
import { type Answer, boundedRetry, createHttpClient, type HttpClient } from "../lib/http-client.ts"
import { parseCleaned, type Secret, type SecretFilter } from "../lib/secrets.ts"

/** Number of rows on a page, GitHub's maximum: "The number of results per page (max 100)." */
const PAGE = 100
const MAX_PAGES = 5
/** Maximum redirects: "GitHub redirects API requests where appropriate"; more suggest a loop. */
const MAX_REDIRECTS = 3
/** Wait if GitHub names none: "Otherwise, wait for at least one minute before retrying." */
const SECONDARY_MS = 60_000
/** Maximum length of an etag in characters; GitHub's have 68. Longer ones are not used. */
const MAX_ETAG = 100

/** Reason why GitHub gave no answer that can be used. */
export type NoAnswer =
  /** Refusal of the token, or of a repository that it may not read or that is gone. */
  | { kind: "refused"; what: "token" | "repository" }
  /** No usable answer. `pauseMs` is set if GitHub demands a pause. */
  | { kind: "later"; pauseMs?: number }

/** Answer, and how many requests for it count toward the token's hour. */
export interface Reading<Of> {
  answer: Of
  counted: number
}

export type Page<S extends z.ZodType> = {
  data: z.output<S>
  hasMore: boolean
  etag: string | undefined
}

/** GitHub as one token reaches it. */
export type GitHubApi = ReturnType<typeof gitHubApi>

export function gitHubApi(
  { token, apiUrl, timeoutMs }: { token: Secret; apiUrl: string; timeoutMs: number },
  secrets: SecretFilter,
  http: Pick<HttpClient, "send"> = createHttpClient(timeoutMs),
) {
  const headers = {
    authorization: `Bearer ${token.reveal()}`,
    "user-agent": "docs-agent-bot",
    "x-github-api-version": "2022-11-28",
  }
  return { apiUrl, headers, secrets, http }
}

/** Reads one answer. Never throws because of GitHub: cards work without it. */
export async function readAnswer<Of>(
  api: GitHubApi,
  read: (requests: GitHubRequests) => Promise<Of>,
): Promise<Reading<Of | NoAnswer>> {
  const requests = new GitHubRequests(api)
  const answer = await read(requests).catch(noAnswerIn)
  return { answer, counted: requests.counted }
}

/** Requests for one answer. Counts those that count toward the token's hour. */
export class GitHubRequests {
  counted = 0
  /** Error of the last request that got no answer. */
  cause: unknown
  readonly #api: GitHubApi

  constructor(api: GitHubApi) {
    this.#api = api
  }

  /**
   * Sends one GET. Only the configured API gets the token. Undefined if no answer came.
   * @param etag of the known answer: GitHub counts no request that it answers with 304
   */
  async get(path: string, etag?: string): Promise<Answer | undefined> {
    const { apiUrl, headers, http } = this.#api
    let url = `${apiUrl}${path}`
    const all = etag === undefined ? headers : { ...headers, "if-none-match": etag }
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await http.send(url, { headers: all }).catch((error: unknown) => {
        this.cause = error
        return undefined
      })
      if (answer?.status !== 304) this.counted += 1
      if (!answer || ![301, 302, 307, 308].includes(answer.status)) return answer
      const location = answer.headers.get("location") ?? ""
      url = URL.canParse(location, url) ? new URL(location, url).href : ""
      if (!url.startsWith(`${apiUrl}/`)) return undefined
    }
    return undefined
  }

  /** Reads a JSON answer, and whether there is another page. @throws NotRead */
  async read<S extends z.ZodType>(path: string, schema: S): Promise<Page<S>> {
    return this.#parsed(await this.get(path), schema)
  }

  /** Reads a JSON answer, or undefined if it is still the one with this etag. @throws NotRead */
  async readChanged<S extends z.ZodType>(path: string, schema: S, etag: string) {
    const answer = await this.get(path, etag)
    return answer?.status === 304 ? undefined : this.#parsed(answer, schema)
  }

  /** Reads a list, at most `MAX_PAGES` pages of it. @param first its first page @throws NotRead */
  async list<S extends z.ZodArray>(path: string, schema: S, first?: Page<S>): Promise<Page<S>> {
    const start = first ?? (await this.read(pageOf(path, 1), schema))
    const rows: unknown[] = [...start.data]
    let { hasMore } = start
    for (let page = 2; hasMore && page <= MAX_PAGES; page += 1) {
      const next = await this.read(pageOf(path, page), schema)
      rows.push(...next.data)
      hasMore = next.hasMore
    }
    // The first page keeps its etag if only a later page changes.
    const etag = start.hasMore ? undefined : start.etag
    return { data: rows as z.output<S>, hasMore, etag }
  }

  #parsed<S extends z.ZodType>(answer: Answer | undefined, schema: S): Page<S> {
    const { secrets } = this.#api
    if (answer?.status !== 200) throw new NotRead(failureOf(answer))
    const { data, success } = schema.safeParse(parseCleaned(secrets, answer.body.toString("utf8")))
    if (!success) throw new NotRead({ kind: "later" })
    const hasMore = answer.headers.get("link")?.includes('rel="next"') === true
    const etag = answer.headers.get("etag") ?? ""
    const isUsable = etag !== "" && etag.length <= MAX_ETAG && !secrets.holds(etag)
    return { data, hasMore, etag: isUsable ? etag : undefined }
  }
}

/** Adds to a list's path which page of it to read, from 1. */
export function pageOf(path: string, page: number): string {
  return `${path}?per_page=${PAGE}&page=${page}`
}

class NotRead extends Error {
  override name = "NotRead"
  readonly answer: NoAnswer

  constructor(answer: NoAnswer) {
    super(answer.kind)
    this.answer = answer
  }
}

function noAnswerIn(error: unknown): NoAnswer {
  if (error instanceof NotRead) return error.answer
  throw error
}

function failureOf(answer: Answer | undefined): NoAnswer {
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

type TokenCheck =
  | { result: "works" | "refused" | "not_github" }
  /** `cause`: why no answer came, if none did. */
  | { result: "unclear"; cause?: unknown }
  /** `until`: when GitHub accepts requests again, in ms, if it says so. */
  | { result: "limited"; until?: number }

const limitsSchema = z.object({
  resources: z.object({ core: z.object({ remaining: z.number(), reset: z.number() }) }),
})

/**
 * Asks whether GitHub accepts the token. "Accessing this endpoint does not count against your
 * REST API rate limit"; it answers 404 if limits are off. Any server may answer that, but only
 * GitHub's answers carry a request id, which a proxy may drop, or have its body.
 */
export async function checkToken(api: GitHubApi): Promise<TokenCheck> {
  const requests = new GitHubRequests(api)
  const answer = await requests.get("/rate_limit")
  if (!answer) return { result: "unclear", cause: requests.cause }
  if (requestedPause(answer) !== undefined) return { result: "limited" }
  if (![200, 401, 404].includes(answer.status)) return { result: "unclear" }
  const body = answer.body.toString("utf8")
  const isGitHub = /"(documentation_url|resources)":/.test(body)
  if (!isGitHub && !answer.headers.has("x-github-request-id")) return { result: "not_github" }
  if (answer.status === 401) return { result: "refused" }
  const { data } = limitsSchema.safeParse(parseCleaned(api.secrets, body))
  const { remaining = 1, reset = 0 } = data?.resources.core ?? {}
  return remaining > 0 ? { result: "works" } : { result: "limited", until: reset * 1000 }
}
