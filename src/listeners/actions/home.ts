import { queuesOf } from "../../jobs/limit/queues.ts"
import { endWaiting } from "../../jobs/limit/refresh.ts"
import { overviewOf } from "../../jobs/overview.ts"
import { dropped } from "../../jobs/transitions.ts"
import { resumed } from "../../jobs/trouble/pause.ts"
import { adminsOnlyMessage } from "../../messages/admin-notice.ts"
import { homeView } from "../../messages/overview.ts"
import { say } from "../../messages/private.ts"
import type { Click, readHome } from "../../slack/payloads.ts"
import type { Reply } from "../answer.ts"
import { admit } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"

/** Publishes a new Home tab for the person who opens it. Shows a refusal there, because nobody else sees it. */
export async function openHome(
  deps: AgentDeps,
  { user, tab }: ReturnType<typeof readHome>,
): Promise<Reply> {
  if (tab !== "home") return {}
  const work = async () => {
    const entry = await admit(deps, { user })
    if ("refusal" in entry)
      return deps.outbound.publishHome(user, { type: "home", blocks: entry.refusal.blocks })
    const overview = await overviewOf(deps, deps, entry.profile)
    await deps.outbound.publishHome(user, homeView({ ...deps, overview }))
  }
  return { work }
}

/** Resumes a project's paused job and message queues, for an admin. */
export async function resume(deps: AgentDeps, click: Click): Promise<Reply> {
  const { rules, admins, health } = deps
  if (!rules.admins.has(click.user)) return { ack: adminsOnlyMessage(admins, "resume the queue") }
  const done = await Promise.all(
    knownQueues(deps, click).map((queue) => health.change(queue, (is, now) => resumed(is, now))),
  )
  return { ack: say(done.includes(true) ? "queue_resumed" : "queue_runs"), replace: true }
}

export async function dropWaiting(deps: AgentDeps, click: Click): Promise<Reply> {
  const isAdmin = deps.rules.admins.has(click.user)
  for (const queue of isAdmin ? knownQueues(deps, click) : [])
    while ((await endWaiting(deps, queue, ({ job, now }) => dropped(job, { now }))) > 0);
  return resume(deps, click)
}

function knownQueues({ projectKeys }: AgentDeps, { value }: Click): string[] {
  return queuesOf(projectKeys.filter((key) => key === value))
}
