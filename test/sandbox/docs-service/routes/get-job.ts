import { failure, json, type Reply } from "../../kit/reply.ts"
import { agentJobBody } from "../agent-job.ts"
import type { Project } from "../project.ts"
import type { State } from "../state.ts"

/** Returns a job. The document doesn't specify the path of this operation. */
export function getJob(state: State, project: Project, jobId: string): Reply {
  const job = state.jobs.get(jobId)
  if (job?.projectId !== project.id) return failure(404, "Unknown job")
  return json(200, agentJobBody(job))
}
