/**
 * A queue has an hour, a fair order and a pause of its own. Each project has two: of jobs to be created,
 * under the project's key, and of messages to its jobs, which the service counts apart.
 */
const MESSAGES = ":messages"

/** The queue of messages to the jobs of a project. */
export function messagesOf(project: string): string {
  return `${project}${MESSAGES}`
}

/** The queue of a job's present round. */
export function queueOf({
  project,
  follows,
}: {
  project: string
  follows?: string | undefined
}): string {
  return follows === undefined ? project : messagesOf(project)
}

export function isMessages(queue: string): boolean {
  return queue.endsWith(MESSAGES)
}

/** The project whose queue it is. */
export function projectOf(queue: string): string {
  return isMessages(queue) ? queue.slice(0, -MESSAGES.length) : queue
}

/** Every queue of these projects. */
export function queuesOf(projects: readonly string[]): string[] {
  return projects.flatMap((project) => [project, messagesOf(project)])
}
