import { isEnded } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import type { Click } from "../slack/payload-interactions.ts"
import {
  forgetExpiredMessage,
  forgetQuestion,
  forgettingMessage,
  forgottenMessage,
  keptMessage,
} from "../views/audit.ts"
import type { Reply } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"
import { tell } from "./tell.ts"

/**
 * `forget-me`: nothing is deleted before its person says so. Not behind the gate, as people who are not
 * let in any more may be forgotten.
 */
export async function askToForget(
  { jobs, forgetting }: AgentDeps,
  { user }: { user: string },
): Promise<Message> {
  const open = (await jobs.ofUser(user, 0)).filter((job) => !isEnded(job))
  const waiting = open.filter(({ state }) => state === "queued").length
  const counts = { waiting, running: open.length - waiting }
  return forgetQuestion(counts, await forgetting.ask(user))
}

/**
 * The answer, which counts once; after a crash at this point the person is asked again, no more.
 */
export async function forgetMe(deps: AgentDeps, click: Click): Promise<Reply> {
  const { user, value } = click
  if (!(await deps.forgetting.answered(user, value))) return { ack: forgetExpiredMessage() }
  const forget = async () =>
    tell(deps, click, forgottenMessage(await deps.forgetting.forget(user)), true)
  return { ack: forgettingMessage(), replace: true, work: forget }
}

export async function keepMe(deps: AgentDeps, { user, value }: Click): Promise<Reply> {
  const isOurs = await deps.forgetting.answered(user, value)
  return isOurs ? { ack: keptMessage(), replace: true } : { ack: forgetExpiredMessage() }
}
