/** A project as people know it. */
export interface ProjectFacts {
  name: string
  /** Channels that it is the default of, as configured. */
  channels: ReadonlySet<string>
}

export type Projects = readonly [ProjectFacts, ...ProjectFacts[]]

/** Names as people type them: case does not matter. */
function findProject(projects: Projects, name: string): ProjectFacts | undefined {
  return projects.find((project) => project.name.toLowerCase() === name.toLowerCase())
}

/**
 * Which project a request goes to: what was typed, else what an admin chose for the channel, else
 * the configured default of the channel, else the first. Pure.
 */
export function chooseProject(
  projects: Projects,
  facts: { channel: string; typed?: string | undefined; chosen?: string | undefined },
): { project: string } | { unknown: string } {
  if (facts.typed !== undefined) {
    const typed = findProject(projects, facts.typed)
    return typed ? { project: typed.name } : { unknown: facts.typed }
  }
  const chosen = facts.chosen && findProject(projects, facts.chosen)
  const fallback = projects.find((project) => project.channels.has(facts.channel)) ?? projects[0]
  return { project: (chosen || fallback).name }
}

/** Takes `project=<name>` off the front of a prompt. */
export function splitProject(words: string): { typed?: string; words: string } {
  const match = /^project=([\w.-]{1,40})(?:\s+|$)/i.exec(words)
  return match?.[1] ? { typed: match[1], words: words.slice(match[0].length).trim() } : { words }
}
