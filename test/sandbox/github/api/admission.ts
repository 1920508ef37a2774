import type { IncomingHttpHeaders } from "node:http"
import { json, type Reply } from "../../kit/reply.ts"
import type { State } from "../state.ts"

const HOUR_S = 3_600

export interface RateState {
  readonly limit: number
  readonly remaining: number
  readonly used: number
  /** Time of the reset, "In UTC epoch seconds". */
  readonly reset: number
}

export type RateLimit = ReturnType<typeof createRateLimit>

/** Counts the requests of one token in a fixed hour that begins with its first request. */
export function createRateLimit(limit: { readonly perHour: number | null }, now: () => number) {
  let used = 0
  let reset = 0
  return {
    /** Returns the current state; undefined if limits are disabled. */
    state(): RateState | undefined {
      const { perHour } = limit
      if (perHour === null) return undefined
      const seconds = Math.floor(now() / 1000)
      if (seconds >= reset) {
        used = 0
        reset = seconds + HOUR_S
      }
      const remaining = Math.max(0, perHour - used)
      return { limit: perHour, remaining, used: Math.min(perHour, used), reset }
    },
    spend(): void {
      used += 1
    },
  }
}

/** Returns the headers "that are sent with each response"; none if limits are disabled. */
export function rateHeaders(state: RateState | undefined): Record<string, string> {
  if (!state) return {}
  return {
    "x-ratelimit-limit": String(state.limit),
    "x-ratelimit-remaining": String(state.remaining),
    "x-ratelimit-used": String(state.used),
    "x-ratelimit-reset": String(state.reset),
    "x-ratelimit-resource": "core",
  }
}

const VERSIONS = ["2022-11-28", "2026-03-10"]

/** Returns the caller's rate limit, or a refusal, which doesn't count toward the hour. */
export function admit(
  { tokens }: State,
  headers: IncomingHttpHeaders,
): { limit: RateLimit } | { refusal: Reply } {
  // "Requests without a valid User-Agent header will be rejected."
  if (!headers["user-agent"]) return { refusal: apiError(403, "Please set a User-Agent header") }
  const version = headers["x-github-api-version"]
  if (typeof version === "string" && !VERSIONS.includes(version)) {
    return { refusal: apiError(400, `API version ${version} is not supported`) }
  }
  const [, token] = /^(?:bearer|token) +(\S+)$/i.exec(headers.authorization ?? "") ?? []
  // Every repository here is private: none is visible without a token.
  if (token === undefined) return { refusal: notFound }
  const limit = tokens.get(token)
  if (limit === undefined) return { refusal: apiError(401, "Bad credentials") }
  return { limit }
}

/** Returns the refusal of a used-up token: "the `x-ratelimit-remaining` header will be `0`". */
export function overLimit(rate: RateState | undefined): Reply | undefined {
  if (rate === undefined || rate.remaining > 0) return undefined
  return apiError(403, "API rate limit exceeded for user ID 1.", rateHeaders(rate))
}

export function apiError(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Reply {
  const documentation_url = "https://docs.github.com/rest"
  return json(status, { message, documentation_url, status: String(status) }, headers)
}

/** "A 404 Not Found response instead of a 403 Forbidden" for what a token can't read. */
export const notFound = apiError(404, "Not Found")
