import { z } from "zod"
import { failure, json, type Reply } from "../../kit/reply.ts"
import { admit } from "../admit.ts"
import { updateStatusBody } from "../preview.ts"
import type { Project } from "../project.ts"
import { readBody } from "../request-body.ts"
import type { State } from "../state.ts"

const branchSchema = z.object({ branch: z.string().min(1) })

/**
 * Starts a deployment: "Create or update a preview deployment for a specific branch". 202 with a
 * status id, "up to 5 requests per minute per organization". The build of an unknown branch fails.
 */
export function preview(state: State, project: Project, contentType: string, body: string): Reply {
  const read = readBody(branchSchema, contentType, body)
  if ("refusal" in read) return read.refusal
  const refusal = admit(state, "preview", project)
  if (refusal) return refusal
  const { previewPlan } = state.settings
  const { branch } = read.value
  const isKnown = state.jobs.ofProject(project.id).some((job) => job.source.ref === branch)
  const lost = { ...previewPlan, ending: "failure", summary: `Branch ${branch} not found` } as const
  const started = state.previews.start(
    project.id,
    branch,
    isKnown ? previewPlan : lost,
    state.now(),
  )
  return json(202, { statusId: started.statusId, previewUrl: started.previewUrl })
}

/** Answers "Get the status of an update from the status ID" for the key that started it. */
export function updateStatus(state: State, key: string, statusId: string): Reply {
  const found = state.previews.get(statusId)
  if (!found || state.projects.get(found.projectId)?.key !== key) {
    return failure(404, "Unknown status")
  }
  const jobs = state.jobs.ofProject(found.projectId)
  const job = jobs.find(({ source }) => source.ref === found.branch)
  return json(200, updateStatusBody(found, job, state.now()))
}
