import type { JobStore } from "./ports.ts"

/** A project as people know it. */
interface ProjectFacts {
  name: string
  /** Channels that it is the default of, as configured. */
  channels: ReadonlySet<string>
}

export type Projects = readonly [ProjectFacts, ...ProjectFacts[]]

interface ChoiceDeps {
  projects: Projects
  jobs: Pick<JobStore, "projectOf">
}

/** The project of a request: the one that was typed, else the channel's. */
export async function projectFor(
  deps: ChoiceDeps,
  channel: string,
  typed: string | undefined,
): Promise<{ project: string } | { unknown: string }> {
  if (typed === undefined) return { project: await channelProject(deps, channel) }
  const known = findProject(deps.projects, typed)
  return known ? { project: known.name } : { unknown: typed }
}

/**
 * The project of a channel when nothing is said: what an admin chose for it, else the one that is
 * configured as its default, else the first.
 */
export async function channelProject(
  { projects, jobs }: ChoiceDeps,
  channel: string,
): Promise<string> {
  const configured = projects.find(({ channels }) => channels.has(channel)) ?? projects[0]
  // With one project there is nothing to choose or to look up.
  const chosen = projects.length > 1 ? await jobs.projectOf(channel) : undefined
  const known = chosen === undefined ? undefined : findProject(projects, chosen)
  return (known ?? configured).name
}

export function projectNames({ projects }: Pick<ChoiceDeps, "projects">): string[] {
  return projects.map(({ name }) => name)
}

/** Names as people type them: case does not matter. */
function findProject(projects: Projects, name: string): ProjectFacts | undefined {
  return projects.find((project) => project.name.toLowerCase() === name.toLowerCase())
}
