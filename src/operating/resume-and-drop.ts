import { forAdmins } from "../asking/access-rules.ts"
import type { Clicks, Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import { cancelled } from "../jobs/end-round.ts"
import { ALLOWED_MORE, queueKeys, queuesOf } from "../jobs/job-keys.ts"
import { allowMore } from "../limit/month-budget.ts"
import { resumeQueues } from "../limit/pauses.ts"
import { counted } from "../messages/mrkdwn.ts"
import { queueResumed, requestsDropped, say } from "../messages/private-answers.ts"
import type { Click } from "../slack/payloads.ts"
import { doctorMessage, type Finding } from "./doctor/finding.ts"

/** Resumes a project's paused queues, of new jobs and of follow-ups, for an admin. */
async function resumeOne(context: Context, { user, value: project }: Click): Promise<Reply> {
  const { projects } = context.settings
  const isKnown = projects.keys.includes(project)
  if (!isKnown || !(await resumeQueues(context, project)))
    return { ack: say("queue_runs"), replace: true }
  context.log.info({ project: projects.nameOf(project), user }, "queue resumed by an admin")
  return { ack: queueResumed(projects.labelOf(project)), replace: true }
}

const dropWaiting = forAdmins("resume the queue", async (context: Context, click: Click) => {
  const { user, value: project } = click
  const { projects } = context.settings
  const count = projects.keys.includes(project) ? await dropAll(context, project) : 0
  const reply = await resumeOne(context, click)
  if (count === 0) return reply
  const facts = { project: projects.nameOf(project), user, count }
  context.log.info(facts, "waiting requests dropped")
  return { ack: requestsDropped(count), replace: true }
})

/** Lets more requests of the month go, for an admin; each notice's button counts once. */
const allowMoreRequests = forAdmins("allow more requests", async (context, click: Click) => {
  const { projects } = context.settings
  const { user, value } = click
  const [project = "", notice = ""] = value.split(" ")
  if (!projects.keys.includes(project)) return { ack: say("expired"), replace: true }
  const isAllowed = await allowMore(context.store, project, notice)
  if (!isAllowed) return { ack: say("month_over"), replace: true }
  const facts = { project: projects.nameOf(project), user, more: ALLOWED_MORE }
  context.log.info(facts, "more requests allowed this month")
  return { ack: say("allowed_more"), replace: true }
})

/** Buttons of the notices to admins, by `action_id`. */
export const adminClicks: Clicks<Context> = {
  resume: forAdmins("resume the queue", resumeOne),
  drop_waiting: dropWaiting,
  allow_more: allowMoreRequests,
}

/** Makes the doctor's answer to an admin: what is wrong, and what to do. */
export function doctorFor(examine: () => Promise<Finding[]>) {
  return forAdmins("do that", async () => ({
    ack: say("examining"),
    work: async () => doctorMessage(await examine()),
  }))
}

/** Command that does from a shell, without Slack, what a button in the admins' messages does. */
export type PauseCommand = "resume" | "drop"

/** Resumes the queues of every project, after cancelling what waits if asked to. Returns a report. */
export async function answerPause(command: PauseCommand, context: Context): Promise<string> {
  const lines: string[] = []
  for (const project of context.settings.projects.keys) {
    const name = context.settings.projects.nameOf(project)
    if (command === "drop") {
      const dropped = await dropAll(context, project)
      lines.push(`${name}: dropped ${counted(dropped, "request")}.`)
    }
    const isResumed = await resumeQueues(context, project)
    lines.push(`${name}: ${isResumed ? "the queue resumes" : "the queue wasn't paused"}.`)
  }
  return `${lines.join("\n")}\n`
}

/** Cancels what waits in a project's queues, for an admin. Resolves to the number of jobs. */
export async function dropAll({ store, jobs }: Context, project: string): Promise<number> {
  const reading = queuesOf([project]).map((queue) =>
    store.redis.zrange(queueKeys(queue).wait, "0", "-1"),
  )
  let count = 0
  for (const id of (await Promise.all(reading)).flat()) {
    const changed = await jobs.change<"too_late" | "not_yours">(id, ({ job, now }) =>
      cancelled(job, { mayCancel: () => true, now }),
    )
    if (typeof changed === "object") count += 1
  }
  return count
}
