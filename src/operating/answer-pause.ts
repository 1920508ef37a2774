import { dropAll } from "../asking/act-on-job.ts"
import type { Context } from "../jobs/context.ts"
import { resumeQueues } from "../limit/pauses.ts"

/** Command that does from a shell, without Slack, what a button in the admins' messages does. */
export type PauseCommand = "resume" | "drop"

/** Resumes the queues of every project, after cancelling what waits if asked to. Returns a report. */
export async function answerPause(command: PauseCommand, context: Context): Promise<string> {
  const lines: string[] = []
  for (const project of context.settings.projects.keys) {
    const name = context.settings.projects.nameOf(project)
    if (command === "drop") {
      const dropped = await dropAll(context, project)
      lines.push(`${name}: dropped ${dropped} ${dropped === 1 ? "request" : "requests"}.`)
    }
    const isResumed = await resumeQueues(context, project)
    lines.push(`${name}: ${isResumed ? "the queue resumes" : "the queue wasn't paused"}.`)
  }
  return `${lines.join("\n")}\n`
}
