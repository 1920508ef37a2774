import { SECRETS } from "../sandbox/test-bed.ts"
import type { Options } from "./test-bed.ts"

type Projects = Readonly<Record<string, string>>

/** Returns an environment with these projects (ids by name) and the additional settings. */
export function listedProjects(
  projects: Projects,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const list = Object.entries(projects).map(([name, id]) => ({ name, id, key: SECRETS.apiKey }))
  return { DOCS_PROJECT_ID: "", DOCS_API_KEY: "", DOCS_PROJECTS: JSON.stringify(list), ...more }
}

/** Returns the options of a bed whose service and bot have these projects (ids by name), and more. */
export function withProjects(projects: Projects, more: Pick<Options, "docs" | "env"> = {}) {
  const known = Object.values(projects).map((id) => ({ id, key: SECRETS.apiKey }))
  return { docs: { projects: known, ...more.docs }, env: listedProjects(projects, more.env) }
}
