export interface ProjectOptions {
  readonly id: string
  readonly key: string
  readonly name?: string
  /** `owner/name`; the pull request pages live below it. */
  readonly repository?: string
  /** Where the agent's changes go. `main`: jobs complete without a pull request. */
  readonly push?: "pull_request" | "main"
}

export type Project = Required<ProjectOptions>

export function project(options: ProjectOptions): Project {
  return { name: options.id, repository: "acme/docs", push: "pull_request", ...options }
}
