import type { KeyedProject } from "../config/projects.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"

/**
 * Creates the lookup of project names by project key. An operator may have put an API key into
 * `DOCS_PROJECT_ID`, so the bot shows that id as a name only after the service has accepted it.
 */
export function createProjectNames(redis: RedisClient, projects: readonly KeyedProject[]) {
  const named = new Set(projects.flatMap((one) => (one.isSingle ? [] : one.key)))
  const stored = (project: string) => key("worked", project)
  return {
    nameOf: (project: string): string => {
      const found = projects.find((one) => one.key === project)
      if (!found || named.has(project)) return found?.name ?? "removed"
      redis.exists(stored(project)).then(
        (worked) => worked > 0 && named.add(project),
        () => {},
      )
      return "DOCS_PROJECT_ID"
    },

    /** Records that the service accepted a project's ID, so it isn't an API key. */
    worked: (project: string): void => {
      if (named.has(project)) return
      named.add(project)
      redis.set(stored(project), "1").catch(() => {})
    },
  }
}
