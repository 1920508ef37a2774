import { dropAll } from "../asking/act-on-job.ts"
import type { Context } from "../jobs/context.ts"
import { queuesOf } from "../jobs/job-keys.ts"
import { resumeQueues } from "../limit/pauses.ts"

/** Command that does from a shell, without Slack, what a button in the admins' messages does. */
export type PauseCommand = "resume" | "drop"

/** Resumes the queues of every project, after cancelling what waits if asked to. Returns a report. */
export async function answerPause(command: PauseCommand, context: Context): Promise<string> {
  const lines: string[] = []
  for (const project of context.settings.projects.keys) {
    const name = context.settings.projects.nameOf(project)
    let dropped = 0
    if (command === "drop")
      for (const queue of queuesOf([project])) dropped += await dropAll(context, queue)
    const isResumed = await resumeQueues(context, project)
    const requests = `${dropped} ${dropped === 1 ? "request" : "requests"}`
    if (command === "drop") lines.push(`${name}: dropped ${requests}.`)
    lines.push(`${name}: ${isResumed ? "the queue resumes" : "the queue wasn't paused"}.`)
  }
  return `${lines.join("\n")}\n`
}
