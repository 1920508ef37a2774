import { SECRETS } from "../sandbox/test-bed.ts"

/** Returns an environment with these projects (ids by name) and the additional settings. */
export function listedProjects(
  projects: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const list = Object.entries(projects).map(([name, id]) => ({ name, id, key: SECRETS.apiKey }))
  return {
    DOCS_PROJECT_ID: "",
    DOCS_API_KEY: "",
    DOCS_PROJECTS: JSON.stringify(list),
    ...more,
  }
}
