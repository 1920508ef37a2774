import type { Job } from "../jobs/job.ts"
import { actOnJob } from "../jobs/job-actions.ts"
import type { Message } from "../ports/message.ts"
import { line } from "../views/blocks.ts"
import { jobActionMessage } from "../views/job-action.ts"
import type { AgentDeps } from "./deps.ts"

/**
 * `cancel`: a waiting job is cancelled; of a running one only the following can end.
 * @param id absent: that of the thread @param here the job of the thread in which it is said
 */
export async function cancel(
  deps: AgentDeps,
  user: string,
  id: string | undefined,
  here?: Job,
): Promise<Message> {
  const which = id ?? here?.id
  if (!which)
    return line(
      "Say which one: `/docs-agent cancel &lt;id&gt;`. The id stands on its card and in `/docs-agent status`.",
    )
  const result = await actOnJob(deps, "cancel", which, user)
  if (here && result.result === "not_now" && result.job.state === "active")
    return line(
      "The docs agent is already at work, and the documentation service has no way to cancel a job. *Stop following* on the card ends the notices.",
    )
  const other = here && which !== here.id ? ` \`${which}\`` : ""
  return jobActionMessage("cancel", result) ?? line(`Cancelled${other}. No job was spent.`)
}
