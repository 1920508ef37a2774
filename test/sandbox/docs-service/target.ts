import type { FaultTarget } from "./faults.ts"

/** What a request line asks for. */
export interface Target extends FaultTarget {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly route: RouteName | undefined
  /** The decoded path of a page; empty for anything else. */
  readonly segments: readonly string[]
}

export type RouteName = "create" | "get" | "message" | "visitors" | "page" | "health"

interface Match {
  readonly route: RouteName
  readonly projectId?: string | undefined
  readonly jobId?: string | undefined
  readonly segments?: readonly string[]
}

/**
 * Reads a request line. Segments are split before they are decoded: an id may hold an encoded slash.
 * @throws URIError when a percent escape is broken.
 */
export function parseTarget(method: string, requestTarget: string, basePath: string): Target {
  const mark = requestTarget.indexOf("?")
  const path = mark < 0 ? requestTarget : requestTarget.slice(0, mark)
  const query = new URLSearchParams(mark < 0 ? "" : requestTarget.slice(mark + 1))
  const found = path.startsWith(`${basePath}/`)
    ? match(method, segmentsOf(path.slice(basePath.length)))
    : matchPage(method, segmentsOf(path))
  const route = found?.route
  return {
    method,
    path,
    query,
    route,
    segments: found?.segments ?? [],
    kind: route === undefined || route === "page" || route === "health" ? "other" : route,
    projectId: found?.projectId,
    jobId: found?.jobId,
  }
}

function match(method: string, segments: string[]): Match | undefined {
  const [first, second, projectId, last, jobId, message] = segments
  const { length } = segments
  if (first === "v2" && second === "agent" && last === "job") {
    if (length === 4 && method === "POST") return { route: "create", projectId }
    if (length === 5 && method === "GET") return { route: "get", projectId, jobId }
    if (length === 6 && method === "POST" && message === "message") {
      return { route: "message", projectId, jobId }
    }
    return undefined
  }
  if (first === "v1" && second === "analytics" && last === "visitors") {
    return length === 4 && method === "GET" ? { route: "visitors", projectId } : undefined
  }
  return matchPage(method, segments)
}

function matchPage(method: string, segments: string[]): Match | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined
  return { route: segments.join("/") === "healthz" ? "health" : "page", segments }
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1).map(decodeURIComponent)
}
