import { json, type Reply } from "../../kit/reply.ts"
import { admit } from "../admit.ts"
import { agentJobBody } from "../agent-job.ts"
import type { Project } from "../project.ts"
import { readPrompt } from "../request-body.ts"
import type { State } from "../state.ts"

/** Creates a job (section 4.1 of the API document). A rejected creation doesn't count. */
export function createJob(
  state: State,
  project: Project,
  contentType: string,
  body: string,
): Reply {
  const read = readPrompt(contentType, body)
  if ("refusal" in read) return read.refusal
  const refusal = admit(state, "create", project)
  if (refusal) return refusal
  const at = state.now()
  const job = state.jobs.create(project, read.prompt)
  state.creations.push({ at, projectId: project.id, prompt: read.prompt, jobId: job.id })
  return json(201, agentJobBody(job))
}
