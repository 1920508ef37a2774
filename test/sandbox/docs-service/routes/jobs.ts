import { z } from "zod"
import { parseJson } from "../../kit/json.ts"
import { failure, json, type Reply } from "../../kit/reply.ts"
import { admit, type Project } from "../admission.ts"
import { agentJobBody } from "../agent-job.ts"
import type { IncomingRequest } from "../operations.ts"
import type { State } from "../state.ts"

/** Creates a job (section 4.1 of the API document). A rejected creation doesn't count. */
export function createJob(state: State, project: Project, request: IncomingRequest): Reply {
  const read = readPrompt(request)
  if ("refusal" in read) return read.refusal
  const refusal = admit(state, "create", project)
  if (refusal) return refusal
  const at = state.now()
  const job = state.jobs.create(project, read.prompt)
  state.creations.push({ at, projectId: project.id, prompt: read.prompt, jobId: job.id })
  return json(201, agentJobBody(job))
}

/** Returns a job. The document doesn't specify the path of this operation. */
export function getJob(state: State, project: Project, { target }: IncomingRequest): Reply {
  const job = state.jobs.get(target.jobId ?? "")
  if (job?.projectId !== project.id) return failure(404, "Unknown job")
  return json(200, agentJobBody(job))
}

/**
 * Answers "Send a follow-up instruction to an existing agent job": 200 with the job, active again
 * on the same pull request, or 400, 404 or 429 with `{error}`. Our document lacks it, but some
 * deployments have it. A rejected message doesn't count toward the hour.
 */
export function sendMessage(state: State, project: Project, request: IncomingRequest): Reply {
  const read = readPrompt(request)
  if ("refusal" in read) return read.refusal
  const job = state.jobs.get(request.target.jobId ?? "")
  if (job?.projectId !== project.id) return failure(404, "Unknown job")
  if (job.status === "archived") return failure(400, "The job is archived")
  const refusal = admit(state, "message", project)
  return refusal ?? json(200, agentJobBody(state.jobs.message(job.id, read.prompt)))
}

const schema = z.object({ prompt: z.string().min(1) })

/** Returns the prompt in a request body, or the 400 that describes the error. */
function readPrompt(request: IncomingRequest): { prompt: string } | { refusal: Reply } {
  const { contentType, body } = request
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return { refusal: failure(400, "Content-Type must be application/json") }
  }
  const value = parseJson(body)
  if (value === undefined) return { refusal: failure(400, "The body is not valid JSON") }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: path.join("."),
    message,
  }))
  return { refusal: failure(400, "Invalid request body", details) }
}
