import { chooseProject, splitProject } from "../jobs/project-choice.ts"
import type { AgentDeps } from "./deps.ts"

/** The project of a request, and its words without the `project=` in front. */
export async function projectFor(deps: AgentDeps, channel: string, text: string) {
  const { typed, words } = splitProject(text)
  const chosen = await deps.jobs.projectOf(channel)
  return { choice: chooseProject(deps.projects, { channel, typed, chosen }), words }
}

/** The project of a channel when nothing is said. */
export async function defaultProject(deps: AgentDeps, channel: string): Promise<string> {
  const chosen = await deps.jobs.projectOf(channel)
  const choice = chooseProject(deps.projects, { channel, chosen })
  return "project" in choice ? choice.project : deps.projects[0].name
}

export function projectNames({ projects }: Pick<AgentDeps, "projects">): string[] {
  return projects.map(({ name }) => name)
}
