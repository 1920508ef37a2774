import { failure, type Reply } from "../kit/reply.ts"
import type { Fault } from "./faults.ts"
import type { Target } from "./operations.ts"
import { authorize, type Project } from "./project.ts"
import { assistant, feedback, feedbackPages, searches, visitors } from "./routes/analytics.ts"
import { createJob, getJob, sendMessage } from "./routes/jobs.ts"
import type { State } from "./state.ts"

export interface IncomingRequest {
  readonly target: Target
  readonly authorization: string
  readonly contentType: string
  readonly body: string
  readonly fault: Fault | undefined
}

/** Routes one request, applies its effect and returns its response. */
export function answer(state: State, request: IncomingRequest): Reply {
  const { target, authorization } = request
  if (target.kind === "other") return failure(404, "Not found")
  const access = authorize(state.projects, target.projectId ?? "", authorization)
  if ("refusal" in access) return access.refusal
  return absentReply(state, target) ?? answerProject(state, access.project, request)
}

function answerProject(state: State, project: Project, request: IncomingRequest): Reply {
  const { target, contentType, body, fault } = request
  const jobId = target.jobId ?? ""
  switch (target.kind) {
    case "create":
      return createJob(state, project, contentType, body)
    case "get":
      return getJob(state, project, jobId)
    case "message":
      return sendMessage(state, project, jobId, contentType, body)
    case "visitors":
      return visitors(state, project, target.query, fault)
    case "searches":
      return searches(state, project, target.query)
    case "feedback":
      return feedback(state, project, target.query)
    case "feedback_by_page":
      return feedbackPages(state, project, target.query)
    case "assistant":
      return assistant(state, project, target.query)
    default:
      return failure(404, "Not found")
  }
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
