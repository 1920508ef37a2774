import { z } from "zod"

/** Operations that require the service's key. Its document has the first two and `visitors`. */
export const operationSchema = z.enum([
  "create",
  "get",
  "message",
  "visitors",
  "searches",
  "feedback",
  "feedback_by_page",
  "assistant",
])
export type Operation = z.infer<typeof operationSchema>

export const optionalOperationSchema = operationSchema.exclude(["create", "get", "visitors"])

/** Method, path and name of each operation; a name in braces matches any one segment. */
const ROUTES: readonly (readonly [string, string, Operation])[] = [
  ["POST", "v2/agent/{projectId}/job", "create"],
  ["GET", "v2/agent/{projectId}/job/{jobId}", "get"],
  ["POST", "v2/agent/{projectId}/job/{jobId}/message", "message"],
  ["GET", "v1/analytics/{projectId}/visitors", "visitors"],
  ["GET", "v1/analytics/{projectId}/searches", "searches"],
  ["GET", "v1/analytics/{projectId}/feedback", "feedback"],
  ["GET", "v1/analytics/{projectId}/feedback/by-page", "feedback_by_page"],
  ["GET", "v1/analytics/{projectId}/assistant", "assistant"],
]

/** Returns the operation of a request line, or undefined if there is none. */
export function matchOperation(method: string, segments: readonly string[]) {
  for (const [wanted, pattern, kind] of ROUTES) {
    const ids = wanted === method ? idsIn(pattern.split("/"), segments) : undefined
    if (ids) return { kind, ids }
  }
  return undefined
}

function idsIn(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const ids: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ""
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    if (name !== undefined) ids[name] = segment
    else if (part !== segment) return undefined
  }
  return ids
}
