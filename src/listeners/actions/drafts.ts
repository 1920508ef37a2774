import { retry } from "../../jobs/actions.ts"
import { submit } from "../../jobs/submit.ts"
import { line } from "../../messages/blocks.ts"
import { notNow } from "../../messages/private.ts"
import type { Click } from "../../slack/interactions.ts"
import { admit } from "../admit.ts"
import type { Reply } from "../answer.ts"
import { submitted } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"
import { answerOf } from "../verbs.ts"
import { offerForm } from "../views/form.ts"

/** *Run again*, *Send request*: the person wants the request that they were asked about. */
export async function runAnyway(deps: AgentDeps, click: Click): Promise<Reply> {
  const draft = await deps.drafts.find(click.user, click.value)
  if (!draft) return { ack: notNow("too_old"), replace: true }
  const entry = await admit(deps, draft)
  if ("refusal" in entry) return { ack: entry.refusal, replace: true }
  const request = { ...draft, delivery: `draft:${click.value}`, anyway: true }
  return { ack: await submitted(deps, request), replace: true }
}

export async function neverMind(): Promise<Reply> {
  return { replace: true }
}

/** *Run it in a direct message*: a request that could not be accepted where it was made. */
export async function runInDirect(deps: AgentDeps, click: Click): Promise<Reply> {
  const draft = await deps.drafts.find(click.user, click.value)
  if (!draft) return { ack: notNow("too_old"), replace: true }
  const work = async () => {
    const { channel } = await deps.outbound.direct(click.user, line("Here's your request."))
    const { thread: _, ts: __, replyUrl: ___, ...rest } = draft
    const request = { ...rest, channel, delivery: `draft:${click.value}`, anyway: true }
    await submit(deps.submitting, request)
  }
  return { replace: true, work }
}

/** The form, filled in with a request that could not be accepted. */
export async function openDraft(deps: AgentDeps, click: Click): Promise<Reply> {
  const draft = await deps.drafts.find(click.user, click.value)
  if (!draft) return { ack: notNow("too_old"), replace: true }
  return { work: () => offerForm(deps, click, { kept: draft }) }
}

/** *Run again* after the question whether a retry is meant. */
export async function retryAnyway(deps: AgentDeps, click: Click): Promise<Reply> {
  const entry = await admit(deps, click)
  if ("refusal" in entry) return { ack: entry.refusal, replace: true }
  const result = await retry(deps, click.value, click.user)
  return { ack: answerOf(deps, "run_again", result), replace: true }
}
