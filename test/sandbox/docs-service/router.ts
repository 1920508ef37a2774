import { failure, type Reply } from "../kit/reply.ts"
import { authorize } from "./admission.ts"
import type { Handler, IncomingRequest, Operation, Target } from "./operations.ts"
import { assistant, feedback, feedbackPages, searches, visitors } from "./routes/analytics.ts"
import { createJob, getJob, sendMessage } from "./routes/jobs.ts"
import type { State } from "./state.ts"

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
