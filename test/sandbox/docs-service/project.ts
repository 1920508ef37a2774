export interface ProjectOptions {
  readonly id: string
  readonly key: string
  readonly name?: string
  /** `owner/name`; the pull request pages live below it. */
  readonly repository?: string
}

export type Project = Required<ProjectOptions>

export function project(options: ProjectOptions): Project {
  return { name: options.id, repository: "acme/docs", ...options }
}
