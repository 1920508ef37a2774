import { failure, type Reply } from "../kit/reply.ts"
import type { Project } from "./project.ts"

function authorizeKey(
  projects: ReadonlyMap<string, Project>,
  authorization: string,
): { key: string } | { refusal: Reply } {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  const isKnown = [...projects.values()].some((project) => project.key === key)
  return key !== undefined && isKnown
    ? { key }
    : { refusal: failure(401, "Missing or invalid API key") }
}

export function authorize(
  projects: ReadonlyMap<string, Project>,
  projectId: string,
  authorization: string,
): { project: Project } | { refusal: Reply } {
  const known = authorizeKey(projects, authorization)
  if ("refusal" in known) return known
  const project = projects.get(projectId)
  if (!project) return { refusal: failure(404, "Unknown project") }
  if (project.key !== known.key) {
    return { refusal: failure(403, "The API key does not belong to this project") }
  }
  return { project }
}
