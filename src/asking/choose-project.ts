import type { Context } from "../jobs/context.ts"
import type { Found } from "../jobs/job-store.ts"
import type { KeptRequest } from "../messages/questions.ts"
import { unknownProjectMessage } from "../messages/refused-requests.ts"

type AllProjects = Context["settings"]["projects"]["all"]

/** Splits `project=<name>` off the front of a text. */
export function splitProject(words: string): { project?: string; words: string } {
  const match = /^project=([\w.-]{1,40})(?:\s+|$)/i.exec(words)
  return match?.[1] ? { project: match[1], words: words.slice(match[0].length).trim() } : { words }
}

/** Returns the project that was typed (undefined if unknown), or the thread's, channel's or first. */
export function chooseProject(
  projects: AllProjects,
  channel: string,
  typed: string | undefined,
  [latest]: readonly Found[] = [],
) {
  if (typed !== undefined)
    return projects.find(({ name }) => name.toLowerCase() === typed.toLowerCase())
  const ofThread = projects.find(({ key }) => key === latest?.job.project)
  return ofThread ?? projects.find(({ channels }) => channels.has(channel)) ?? projects[0]
}

/** Refuses a name that `chooseProject` did not find. Only for people who may ask: it names all. */
export function noSuchProject(projects: AllProjects, typed = "", kept?: KeptRequest) {
  return unknownProjectMessage(
    typed,
    projects.map(({ name }) => name),
    kept,
  )
}
