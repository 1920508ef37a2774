import type { Project } from "./project.ts"
import { failure, type Reply } from "./reply.ts"

/** The project the bearer key opens, or the refusal. */
export function authorize(
  projects: ReadonlyMap<string, Project>,
  projectId: string,
  authorization: string,
): { project: Project } | { refusal: Reply } {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  const known = key !== undefined && [...projects.values()].some((project) => project.key === key)
  if (!known) return { refusal: failure(401, "Missing or invalid API key") }
  const project = projects.get(projectId)
  if (!project) return { refusal: failure(404, "Unknown project") }
  if (project.key !== key) {
    return { refusal: failure(403, "The API key does not belong to this project") }
  }
  return { project }
}
