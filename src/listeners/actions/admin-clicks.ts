import { dropAll } from "../../asking/act-on-job.ts"
import { allowMore } from "../../limit/month-budget.ts"
import { resumeQueues } from "../../limit/pauses.ts"
import { queueResumed, requestsDropped, say } from "../../messages/private-answers.ts"
import type { Click } from "../../slack/payloads.ts"
import type { Reply } from "../acknowledge.ts"
import { forAdmins } from "../admitted.ts"
import type { AgentDeps } from "../deps.ts"

/** Resumes a project's paused queues, of new jobs and of follow-ups, for an admin. */
export const resume = forAdmins("resume the queue", resumeOne)

async function resumeOne({ context }: AgentDeps, { user, value: project }: Click): Promise<Reply> {
  const { projects } = context.settings
  const isKnown = projects.keys.includes(project)
  if (!isKnown || !(await resumeQueues(context, project)))
    return { ack: say("queue_runs"), replace: true }
  context.log.info({ project: projects.nameOf(project), user }, "queue resumed by an admin")
  return { ack: queueResumed(projects.labelOf(project)), replace: true }
}

export const dropWaiting = forAdmins("resume the queue", async (deps, click: Click) => {
  const { user, value: project } = click
  const { projects } = deps.context.settings
  const count = projects.keys.includes(project) ? await dropAll(deps.context, project) : 0
  const reply = await resumeOne(deps, click)
  if (count === 0) return reply
  const facts = { project: projects.nameOf(project), user, count }
  deps.context.log.info(facts, "waiting requests dropped")
  return { ack: requestsDropped(count), replace: true }
})

/** Lets ten more requests of the month go, for an admin; each notice's button counts once. */
export const allowTenMore = forAdmins("allow more requests", async ({ context }, click: Click) => {
  const { projects } = context.settings
  const { user, value } = click
  const [project = "", notice = ""] = value.split(" ")
  if (!projects.keys.includes(project)) return { ack: say("expired"), replace: true }
  await allowMore(context.store, project, `${project} ${notice}`)
  const facts = { project: projects.nameOf(project), user }
  context.log.info(facts, "ten more requests allowed this month")
  return { ack: say("ten_more"), replace: true }
})
