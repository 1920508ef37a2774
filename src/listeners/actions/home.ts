import { overviewOf } from "../../jobs/overview.ts"
import { resumed } from "../../jobs/pause.ts"
import { messagesOf } from "../../jobs/queues.ts"
import { line } from "../../messages/blocks.ts"
import { homeView, refusedHome } from "../../messages/home.ts"
import type { Click } from "../../slack/interactions.ts"
import { admit } from "../admit.ts"
import type { Reply } from "../answer.ts"
import type { AgentDeps } from "../deps.ts"

/** Makes the Home tab afresh, after an acknowledgement. A refusal is told there, as nobody else sees it. */
export async function publishHome(deps: AgentDeps, user: string): Promise<void> {
  const entry = await admit(deps, { user })
  const { listing, rules, settingOf } = deps
  const home =
    "refusal" in entry
      ? refusedHome(entry.refusal)
      : homeView({
          ...listing,
          overview: await overviewOf(deps.overview, user),
          ...(rules.admins.has(user) ? { settingOf } : {}),
        })
  await deps.outbound.publishHome(user, home)
}

/** *Resume*: an admin starts a paused queue again, and that of its messages with it. */
export async function resume(deps: AgentDeps, click: Click): Promise<Reply> {
  if (!deps.rules.admins.has(click.user)) return { ack: line("*Only an admin can do that.*") }
  const project = deps.projects.find(({ key }) => key === click.value)?.key
  const queues = project === undefined ? [] : [project, messagesOf(project)]
  const done = await Promise.all(
    queues.map((queue) => deps.health.change(queue, (is, now) => resumed(is, now))),
  )
  if (click.inView) return { work: () => publishHome(deps, click.user) }
  const words = done.includes(true) ? "Queue resumed." : "The queue is already running."
  return { ack: line(words), replace: true }
}
