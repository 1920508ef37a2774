import { failure, type Reply } from "../kit/reply.ts"
import { authorize, type Project } from "./admission.ts"
import type { Fault } from "./faults.ts"
import { assistant, feedback, feedbackPages, searches, visitors } from "./routes/analytics.ts"
import { createJob, getJob, sendMessage } from "./routes/jobs.ts"
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

export interface Target {
  readonly kind: Operation | "other"
  readonly projectId: string | undefined
  readonly jobId: string | undefined
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

const handlers: Readonly<Record<Operation, Handler>> = {
  create: createJob,
  get: getJob,
  message: sendMessage,
  visitors,
  searches,
  feedback,
  feedback_by_page: feedbackPages,
  assistant,
}

/** Routes one request, applies its effect and returns its response. */
export function answer(state: State, request: IncomingRequest): Reply {
  const { target, authorization } = request
  if (target.kind === "other") return failure(404, "Not found")
  const access = authorize(state.projects, target.projectId ?? "", authorization)
  if ("refusal" in access) return access.refusal
  return absentReply(state, target) ?? handlers[target.kind](state, access.project, request)
}

/** Returns the response of a deployment without the operation; undefined if it has it. */
function absentReply({ settings }: State, { kind }: Target): Reply | undefined {
  const absent: Readonly<Record<string, keyof typeof WORDS>> = settings.absent
  const status = absent[kind]
  return status === undefined ? undefined : failure(status, WORDS[status])
}

const WORDS = {
  403: "Not available on your current plan",
  404: "Not found",
  405: "Method not allowed",
  501: "Not implemented",
}
