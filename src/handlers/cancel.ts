import type { Job } from "../jobs/job.ts"
import { actOnJob } from "../jobs/job-actions.ts"
import type { Message } from "../ports/message.ts"
import { line } from "../views/blocks.ts"
import { hintMessage } from "../views/near-miss-messages.ts"
import { actionAnswer } from "./action-answer.ts"
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
  if (!which) return hintMessage("cancel")
  const result = await actOnJob(deps, "cancel", which, user)
  const other = here && which !== here.id ? ` \`${which}\`` : ""
  return actionAnswer(deps, "cancel", result) ?? line(`Cancelled${other}. No job was used.`)
}
