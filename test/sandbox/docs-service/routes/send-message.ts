import { agentJobBody } from "../agent-job.ts"
import type { Project } from "../project.ts"
import { readPrompt } from "../prompt.ts"
import { failure, json, type Reply } from "../reply.ts"
import type { State } from "../state.ts"

/** A follow-up to a job, which turns active again. Not in the document: some deployments have it. */
export function sendMessage(
  state: State,
  project: Project,
  jobId: string,
  contentType: string,
  body: string,
): Reply {
  if (!state.settings.followUps) return failure(404, "Not found")
  const read = readPrompt(contentType, body)
  if ("refusal" in read) return read.refusal
  const job = state.jobs.get(jobId)
  if (job?.projectId !== project.id) return failure(404, "Unknown job")
  if (job.status === "archived") return failure(409, "The job is archived")
  return json(state.settings.successStatus, agentJobBody(state.jobs.message(jobId, read.prompt)))
}
