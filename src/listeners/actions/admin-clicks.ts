import { dropAll } from "../../asking/act-on-job.ts"
import { queuesOf } from "../../jobs/job-keys.ts"
import { allowMore } from "../../limit/month-budget.ts"
import { resumeQueues } from "../../limit/pauses.ts"
import { adminsOnly, queueResumed, requestsDropped, say } from "../../messages/private-answers.ts"
import type { Click } from "../../slack/payloads.ts"
import type { Reply } from "../acknowledge.ts"
import type { AgentDeps } from "../deps.ts"

/** Resumes a project's paused queues, of new jobs and of follow-ups, for an admin. */
export async function resume(deps: AgentDeps, click: Click): Promise<Reply> {
  const { settings, log } = deps.context
  const { access, projects } = settings
  const { user, value: project } = click
  if (!access.admins.includes(user)) return { ack: adminsOnly(access.admins, "resume the queue") }
  const isKnown = projects.keys.includes(project)
  if (!isKnown || !(await resumeQueues(deps.context, project)))
    return { ack: say("queue_runs"), replace: true }
  log.info({ project: projects.nameOf(project), user }, "queue resumed by an admin")
  return { ack: queueResumed(projects.labelOf(project)), replace: true }
}

export async function dropWaiting(deps: AgentDeps, click: Click): Promise<Reply> {
  const { user, value: project } = click
  const isAdmin = deps.context.settings.access.admins.includes(user)
  let count = 0
  for (const queue of isAdmin ? knownQueues(deps, click) : [])
    count += await dropAll(deps.context, queue)
  const reply = await resume(deps, click)
  if (count === 0) return reply
  deps.context.log.info(
    { project: deps.context.settings.projects.nameOf(project), user, count },
    "waiting requests dropped",
  )
  return { ack: requestsDropped(count), replace: true }
}

/** Lets ten more requests of the month go, for an admin; each notice's button counts once. */
export async function allowTenMore(deps: AgentDeps, click: Click): Promise<Reply> {
  const { store, settings, log } = deps.context
  const { access, projects } = settings
  const { user, value } = click
  if (!access.admins.includes(user))
    return { ack: adminsOnly(access.admins, "allow more requests") }
  const [project = "", notice = ""] = value.split(" ")
  if (!projects.keys.includes(project)) return { ack: say("expired"), replace: true }
  await allowMore(store, project, `${project} ${notice}`)
  log.info({ project: projects.nameOf(project), user }, "ten more requests allowed this month")
  return { ack: say("ten_more"), replace: true }
}

function knownQueues({ context }: AgentDeps, { value }: Click): string[] {
  return queuesOf(context.settings.projects.keys.filter((key) => key === value))
}
