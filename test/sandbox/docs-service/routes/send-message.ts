import { failure, json, type Reply } from "../../kit/reply.ts"
import { admit } from "../admit.ts"
import { agentJobBody } from "../agent-job.ts"
import type { Project } from "../project.ts"
import { readPrompt } from "../request-body.ts"
import type { State } from "../state.ts"

/**
 * Answers "Send a follow-up instruction to an existing agent job": 200 with the job, active again
 * on the same pull request, or 400, 404 or 429 with `{error}`. Our document lacks it, but some
 * deployments have it. A rejected message doesn't count toward the hour.
 */
export function sendMessage(
  state: State,
  project: Project,
  jobId: string,
  contentType: string,
  body: string,
): Reply {
  const read = readPrompt(contentType, body)
  if ("refusal" in read) return read.refusal
  const job = state.jobs.get(jobId)
  if (job?.projectId !== project.id) return failure(404, "Unknown job")
  if (job.status === "archived") return failure(400, "The job is archived")
  const refusal = admit(state, "message", project)
  return refusal ?? json(200, agentJobBody(state.jobs.message(jobId, read.prompt)))
}
