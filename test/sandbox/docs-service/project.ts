import { failure, type Reply } from "../kit/reply.ts"

export interface ProjectOptions {
  readonly id: string
  readonly key: string
  readonly name?: string
  /** Repository as `owner/name`, also the base path of its pull request pages. */
  readonly repository?: string
}

export type Project = Required<ProjectOptions>

export function project(options: ProjectOptions): Project {
  return { name: options.id, repository: "acme/docs", ...options }
}

/** Returns the project if the key opens it, or the refusal of a key or a project. */
export function authorize(
  projects: ReadonlyMap<string, Project>,
  projectId: string,
  authorization: string,
): { project: Project } | { refusal: Reply } {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  const isKnown = [...projects.values()].some((project) => project.key === key)
  if (!isKnown) return { refusal: failure(401, "Missing or invalid API key") }
  const project = projects.get(projectId)
  if (!project) return { refusal: failure(404, "Unknown project") }
  if (project.key === key) return { project }
  return { refusal: failure(403, "The API key does not belong to this project") }
}
