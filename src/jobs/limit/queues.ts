import type { Job } from "../job.ts"

/**
 * Suffix of a project's second queue. Each project has two, with a rolling hour, fair order and
 * pause each: one for jobs to create, named by the project's key, and one for messages to its jobs,
 * which the service counts separately.
 */
const MESSAGES = ":messages"

export function messagesOf(project: string): string {
  return `${project}${MESSAGES}`
}

export function queueOf({ project, follows }: Pick<Job, "project" | "follows">): string {
  return follows === undefined ? project : messagesOf(project)
}

export function isMessages(queue: string): boolean {
  return queue.endsWith(MESSAGES)
}

export function projectOf(queue: string): string {
  return isMessages(queue) ? queue.slice(0, -MESSAGES.length) : queue
}

export function queuesOf(projects: readonly string[]): string[] {
  return projects.flatMap((project) => [project, messagesOf(project)])
}
