import { json, type Reply } from "../../kit/reply.ts"
import type { LocalPull } from "../pull.ts"
import { type RateState, rateHeaders } from "../rate-limit.ts"
import type { Repositories, Repository } from "../repositories.ts"
import {
  type Addresses,
  commentBodies,
  fileBody,
  pullBody,
  repositoryBody,
  reviewBody,
} from "./bodies.ts"
import { apiError, notFound } from "./errors.ts"
import { paged } from "./pagination.ts"

export interface ApiQuestion {
  readonly repositories: Repositories
  readonly at: Addresses
  /** Decoded path segments below the API's base. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly rate: RateState | undefined
}

/** Answers a GET request that has a valid token. */
export function answerApi(question: ApiQuestion): Reply {
  const { segments, repositories, rate } = question
  const [first, second = "", third = "", ...rest] = segments
  if (first === "rate_limit" && segments.length === 1) return rateLimit(rate)
  if (first === "repositories")
    return inRepository(question, repositories.byId(Number(second)), [third, ...rest])
  if (first !== "repos") return notFound()
  const name = `${second}/${third}`
  const found = repositories.byName(name)
  if (!found?.isReadable) return notFound()
  if (found.name.toLowerCase() !== name.toLowerCase()) return moved(question, found, rest)
  return inRepository(question, found, rest)
}

/** Returns the limits: "Calling this endpoint does not count against your primary rate limit". */
function rateLimit(rate: RateState | undefined): Reply {
  if (!rate) return apiError(404, "Rate limiting is not enabled.")
  const { limit, used, remaining, reset } = rate
  const core = { limit, used, remaining, reset }
  return json(200, { resources: { core }, rate: core }, rateHeaders(rate))
}

/** Redirects by repository id: "A 301 status code indicates permanent redirection". */
function moved({ at }: ApiQuestion, { id }: Repository, rest: readonly string[]): Reply {
  const path = ["repositories", String(id), ...rest].filter((part) => part !== "")
  const location = `${at.api}/${path.map(encodeURIComponent).join("/")}`
  return json(
    301,
    {
      message: "Moved Permanently",
      url: location,
      documentation_url: "https://docs.github.com/rest",
    },
    { location },
  )
}

function inRepository(
  { repositories, at, query }: ApiQuestion,
  repository: Repository | undefined,
  path: readonly string[],
): Reply {
  if (!repository?.isReadable) return notFound()
  const [first = "", number = "", last] = path
  if (first === "" && path.length <= 1) return json(200, repositoryBody(repository, at))
  const pull =
    first === "pulls" && /^\d+$/.test(number) ? found(repositories, repository, number) : undefined
  if (!pull) return notFound()
  if (path.length === 2) return json(200, pullBody(pull, repository, at))
  const rows = path.length === 3 ? rowsOf(last, pull, repository, at) : undefined
  const list = `${at.api}/repos/${repository.name}/pulls/${number}/${last}`
  return rows ? paged(rows, query, list) : notFound()
}

/** Lists parts of a pull request. "The paginated response returns 30 files per page by default." */
function rowsOf(list: string | undefined, pull: LocalPull, repository: Repository, at: Addresses) {
  switch (list) {
    case "reviews":
      return pull.reviews.map((review) => reviewBody(review, pull, repository, at))
    case "comments":
      return commentBodies(pull, repository, at)
    case "files":
      return pull.files.map(fileBody)
    default:
      return undefined
  }
}

function found(
  repositories: Repositories,
  { id }: Repository,
  number: string,
): LocalPull | undefined {
  return repositories.pull(id, Number(number))
}
