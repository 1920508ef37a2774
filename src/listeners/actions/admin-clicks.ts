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
  const { rules, admins, nameOf, labelOf, log } = deps
  const { user, value: project } = click
  if (!rules.admins.has(user)) return { ack: adminsOnly(admins, "resume the queue") }
  const isKnown = deps.projectKeys.includes(project)
  if (!isKnown || !(await resumeQueues(deps, project)))
    return { ack: say("queue_runs"), replace: true }
  log.info({ project: nameOf(project), user }, "queue resumed by an admin")
  return { ack: queueResumed(labelOf(project)), replace: true }
}

export async function dropWaiting(deps: AgentDeps, click: Click): Promise<Reply> {
  const { user, value: project } = click
  const isAdmin = deps.rules.admins.has(user)
  let count = 0
  for (const queue of isAdmin ? knownQueues(deps, click) : []) count += await dropAll(deps, queue)
  const reply = await resume(deps, click)
  if (count === 0) return reply
  deps.log.info({ project: deps.nameOf(project), user, count }, "waiting requests dropped")
  return { ack: requestsDropped(count), replace: true }
}

/** Lets ten more requests of the month go, for an admin; each notice's button counts once. */
export async function allowTenMore(deps: AgentDeps, click: Click): Promise<Reply> {
  const { rules, admins, projectKeys, store, nameOf, log } = deps
  const { user, value } = click
  if (!rules.admins.has(user)) return { ack: adminsOnly(admins, "allow more requests") }
  const [project = "", notice = ""] = value.split(" ")
  if (!projectKeys.includes(project)) return { ack: say("expired"), replace: true }
  await allowMore(store, project, `${project} ${notice}`)
  log.info({ project: nameOf(project), user }, "ten more requests allowed this month")
  return { ack: say("ten_more"), replace: true }
}

function knownQueues({ projectKeys }: AgentDeps, { value }: Click): string[] {
  return queuesOf(projectKeys.filter((key) => key === value))
}
