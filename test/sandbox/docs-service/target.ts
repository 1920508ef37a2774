import type { FaultTarget } from "./faults.ts"
import { matchOperation, type Operation } from "./operations.ts"

export interface Target extends FaultTarget {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly route: RouteName | undefined
  readonly statusId: string | undefined
  /** Decoded path segments of a page; empty otherwise. */
  readonly segments: readonly string[]
}

type RouteName = Operation | "page"

interface Match {
  readonly route: RouteName
  readonly ids?: Readonly<Record<string, string>>
  readonly segments?: readonly string[]
}

/**
 * Parses a request line. Splits segments before decoding them: an id can contain an encoded slash.
 * @throws URIError if a percent escape is invalid.
 */
export function parseTarget(method: string, requestTarget: string): Target {
  const mark = requestTarget.indexOf("?")
  const path = mark < 0 ? requestTarget : requestTarget.slice(0, mark)
  const query = new URLSearchParams(mark < 0 ? "" : requestTarget.slice(mark + 1))
  const segments = segmentsOf(path)
  const found: Match | undefined = matchOperation(method, segments) ?? matchPage(method, segments)
  const route = found?.route
  return {
    method,
    path,
    query,
    route,
    segments: found?.segments ?? [],
    kind: route === undefined || route === "page" ? "other" : route,
    projectId: found?.ids?.projectId,
    jobId: found?.ids?.jobId,
    statusId: found?.ids?.statusId,
  }
}

function matchPage(method: string, segments: string[]): Match | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined
  if (/^v\d+$/.test(segments[0] ?? "")) return undefined
  return { route: "page", segments }
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1).map(decodeURIComponent)
}
