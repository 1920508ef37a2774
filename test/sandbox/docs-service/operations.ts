import type { Reply } from "../kit/reply.ts"
import type { Project } from "./admission.ts"
import type { Fault, FaultTarget } from "./faults.ts"
import type { State } from "./state.ts"

/** Method, path and name of each operation: the document has the first two and `visitors`. A name in braces matches any one segment. */
const ROUTES = (
  [
    ["POST", "/v2/agent/{projectId}/job", "create"],
    ["GET", "/v2/agent/{projectId}/job/{jobId}", "get"],
    ["POST", "/v2/agent/{projectId}/job/{jobId}/message", "message"],
    ["GET", "/v1/analytics/{projectId}/visitors", "visitors"],
    ["GET", "/v1/analytics/{projectId}/searches", "searches"],
    ["GET", "/v1/analytics/{projectId}/feedback", "feedback"],
    ["GET", "/v1/analytics/{projectId}/feedback/by-page", "feedback_by_page"],
    ["GET", "/v1/analytics/{projectId}/assistant", "assistant"],
  ] as const
).map(([method, path, kind]) => {
  const pattern = path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]*)")
  return { method, kind, pattern: new RegExp(`^${pattern}$`) }
})

/** Operations that require the service's key. */
export type Operation = (typeof ROUTES)[number]["kind"]
export type OptionalOperation = Exclude<Operation, "create" | "get" | "visitors">

export interface Target extends FaultTarget {
  readonly path: string
  readonly query: URLSearchParams
}

export interface IncomingRequest {
  readonly target: Target
  readonly authorization: string
  readonly contentType: string
  readonly body: string
  readonly fault: Fault | undefined
}

/** Applies an operation's effect on a project that the request's key opens, and answers it. */
export type Handler = (state: State, project: Project, request: IncomingRequest) => Reply

/** Parses a request line. Decodes ids only once they are found: one can contain an encoded slash. */
export function parseTarget(method: string, requestTarget: string): Target {
  const [path = "", ...query] = requestTarget.split("?")
  const route = ROUTES.find((one) => one.method === method && one.pattern.test(path))
  const { projectId, jobId } = route?.pattern.exec(path)?.groups ?? {}
  return {
    path,
    query: new URLSearchParams(query.join("?")),
    kind: route?.kind ?? "other",
    projectId: projectId === undefined ? undefined : decodeURIComponent(projectId),
    jobId: jobId === undefined ? undefined : decodeURIComponent(jobId),
  }
}
