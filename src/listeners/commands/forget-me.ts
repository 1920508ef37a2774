import { forgetQuestion, forgottenMessage } from "../../messages/audit.ts"
import { say } from "../../messages/private.ts"
import type { Message } from "../../ports/message.ts"
import type { Click } from "../../slack/interactions.ts"
import type { Reply } from "../answer.ts"
import type { AgentDeps } from "../deps.ts"
import { tell } from "../tell.ts"

/** Jobs of a person that are counted before they are forgotten. */
const COUNTED = 200

/** Asks before anything is deleted. Not behind the gate: people who are not let in any more may be forgotten. */
export async function askToForget(
  { jobs, forgetting }: AgentDeps,
  { user }: { user: string },
): Promise<Message> {
  const found = await jobs.ofUser(user, COUNTED)
  const open = found.filter(({ job }) => job.state !== "ended")
  const waiting = open.filter(({ job }) => job.state === "queued").length
  const counts = { waiting, running: open.length - waiting }
  return forgetQuestion(counts, await forgetting.ask(user))
}

/** Takes the answer, which counts once; after a crash at this point the person is asked again, no more. */
export async function forgetMe(deps: AgentDeps, click: Click): Promise<Reply> {
  const { user, value } = click
  if (!(await deps.forgetting.answered(user, value))) return { ack: say("forget_expired") }
  const forget = async () => {
    const { cancelled, running } = await deps.forgetting.forget(user)
    await tell(deps, click, forgottenMessage({ waiting: cancelled, running }), true)
  }
  return { ack: say("forgetting"), replace: true, work: forget }
}

export async function keepMe(deps: AgentDeps, { user, value }: Click): Promise<Reply> {
  const isOurs = await deps.forgetting.answered(user, value)
  return isOurs ? { replace: true } : { ack: say("forget_expired"), replace: true }
}
