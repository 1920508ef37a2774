import { json, type Reply } from "../../kit/reply.ts"
import type { LocalPull } from "../pull.ts"
import type { Repository } from "../repositories.ts"
import type { State } from "../state.ts"
import { apiError, notFound, type RateState, rateHeaders } from "./admission.ts"
import { commentBodies, fileBody, pullBody, reviewBody } from "./bodies.ts"

export interface ApiQuestion {
  readonly state: State
  /** Decoded path segments below the API's base. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly rate: RateState | undefined
}

/** Answers a GET request that has a valid token. */
export function answerApi(question: ApiQuestion): Reply {
  const { segments, rate } = question
  const { repositories } = question.state
  const [first, second = "", third = "", ...rest] = segments
  if (first === "rate_limit" && segments.length === 1) return rateLimit(rate)
  if (first === "repositories")
    return inRepository(question, repositories.byId(Number(second)), [third, ...rest])
  if (first !== "repos") return notFound
  const name = `${second}/${third}`
  const found = repositories.byName(name)
  if (!found?.isReadable) return notFound
  if (found.name.toLowerCase() !== name.toLowerCase()) return moved(question, found, rest)
  return inRepository(question, found, rest)
}

/** Returns the limits: "Calling this endpoint does not count against your primary rate limit". */
function rateLimit(rate: RateState | undefined): Reply {
  if (!rate) return apiError(404, "Rate limiting is not enabled.")
  return json(200, { resources: { core: rate }, rate }, rateHeaders(rate))
}

/** Redirects by repository id: "A 301 status code indicates permanent redirection". */
function moved({ state }: ApiQuestion, { id }: Repository, rest: readonly string[]): Reply {
  const path = ["repositories", String(id), ...rest].filter((part) => part !== "")
  const location = `${state.apiUrl()}/${path.map(encodeURIComponent).join("/")}`
  return apiError(301, "Moved Permanently", { location })
}

function inRepository(
  { state, query }: ApiQuestion,
  repository: Repository | undefined,
  [list, number = "", last, ...rest]: readonly string[],
): Reply {
  if (!repository?.isReadable || list !== "pulls" || !/^\d+$/.test(number)) return notFound
  const pull = repository.pulls.get(Number(number))
  if (!pull) return notFound
  if (last === undefined) return json(200, pullBody(pull))
  const rows = rest.length === 0 ? rowsOf(last, pull) : undefined
  const url = `${state.apiUrl()}/repos/${repository.name}/pulls/${number}/${last}`
  return rows ? paged(rows, query, url) : notFound
}

/** Lists parts of a pull request. "The paginated response returns 30 files per page by default." */
function rowsOf(list: string, pull: LocalPull): readonly unknown[] | undefined {
  switch (list) {
    case "reviews":
      return pull.reviews.map(reviewBody)
    case "comments":
      return commentBodies(pull)
    case "files":
      return pull.files.map(fileBody)
    default:
      return undefined
  }
}

/** Returns one page: "The number of results per page (max 100)", 30 by default, and `link`. */
function paged(rows: readonly unknown[], query: URLSearchParams, url: string): Reply {
  const size = Math.min(100, Math.max(1, Number(query.get("per_page") ?? 30) || 30))
  const page = Math.max(1, Number(query.get("page") ?? 1) || 1)
  const last = Math.max(1, Math.ceil(rows.length / size))
  const shown = rows.slice((page - 1) * size, page * size)
  const link = (to: number, rel: string) => `<${url}?per_page=${size}&page=${to}>; rel="${rel}"`
  const links = page < last ? [link(page + 1, "next"), link(last, "last")] : []
  return json(200, shown, links.length > 0 ? { link: links.join(", ") } : {})
}
