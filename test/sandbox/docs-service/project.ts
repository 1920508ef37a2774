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
