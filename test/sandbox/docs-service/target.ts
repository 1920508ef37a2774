import type { FaultTarget } from "./faults.ts"
import { matchOperation } from "./operations.ts"

export interface Target extends FaultTarget {
  readonly path: string
  readonly query: URLSearchParams
  /** Decoded path segments. */
  readonly segments: readonly string[]
}

/**
 * Parses a request line. Splits segments before decoding them: an id can contain an encoded slash.
 * @throws URIError if a percent escape is invalid.
 */
export function parseTarget(method: string, requestTarget: string): Target {
  const [path = "", ...query] = requestTarget.split("?")
  const segments = path.split("/").slice(1).map(decodeURIComponent)
  const found = matchOperation(method, segments)
  return {
    path,
    query: new URLSearchParams(query.join("?")),
    segments,
    kind: found?.kind ?? "other",
    projectId: found?.ids.projectId,
    jobId: found?.ids.jobId,
  }
}
