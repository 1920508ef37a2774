import { chooseProject, splitProject } from "../jobs/project-choice.ts"
import type { AgentDeps } from "./deps.ts"

/** The project of a request, and its words without the `project=` in front. */
export async function projectFor(deps: AgentDeps, channel: string, text: string) {
  const { typed, words } = splitProject(text)
  const chosen = typed === undefined ? await chosenFor(deps, channel) : undefined
  return { choice: chooseProject(deps.projects, { channel, typed, chosen }), words }
}

/** The project of a channel when nothing is said. */
export async function defaultProject(deps: AgentDeps, channel: string): Promise<string> {
  const chosen = await chosenFor(deps, channel)
  const choice = chooseProject(deps.projects, { channel, chosen })
  return "project" in choice ? choice.project : deps.projects[0].name
}

/** What an admin chose for the channel. With one project there is nothing to choose or to look up. */
async function chosenFor({ jobs, projects }: AgentDeps, channel: string) {
  return projects.length > 1 ? jobs.projectOf(channel) : undefined
}

export function projectNames({ projects }: Pick<AgentDeps, "projects">): string[] {
  return projects.map(({ name }) => name)
}
