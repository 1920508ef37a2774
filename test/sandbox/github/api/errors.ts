import { json, type Reply } from "../../kit/reply.ts"

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
