import { agentJobBody } from "../agent-job.ts"
import { overLimit } from "../over-limit.ts"
import type { Project } from "../project.ts"
import { readPrompt } from "../prompt.ts"
import { json, type Reply } from "../reply.ts"
import type { State } from "../state.ts"

/** Section 4.1 of the service's API document. A refused creation takes no place in the hour. */
export function createJob(
  state: State,
  project: Project,
  contentType: string,
  body: string,
): Reply {
  const read = readPrompt(contentType, body)
  if ("refusal" in read) return read.refusal
  const at = state.now()
  const window = state.creationWindows.of(project.id)
  const hour = window.state(at, state.settings.creationsPerWindow)
  if (hour.remaining === 0) return overLimit(hour, state.settings.retryAfter, at)
  window.add(at)
  const job = state.jobs.create(project, read.prompt)
  state.creations.push({ at, projectId: project.id, prompt: read.prompt, jobId: job.id })
  return json(state.settings.successStatus, agentJobBody(job))
}
