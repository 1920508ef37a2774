import { json, type Reply } from "../../kit/reply.ts"

const DOCUMENTATION = "https://docs.github.com/rest"

export function apiError(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Reply {
  return json(
    status,
    { message, documentation_url: DOCUMENTATION, status: String(status) },
    headers,
  )
}

/** Returns "a 404 Not Found response instead of a 403 Forbidden" for what a token can't read. */
export function notFound(): Reply {
  return apiError(404, "Not Found")
}
