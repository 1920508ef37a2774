import { mayActOn } from "../../asking/access-rules.ts"
import * as actions from "../../asking/act-on-job.ts"
import { askId } from "../../asking/new-job.ts"
import { isOver, type Job, threadOf } from "../../jobs/job.ts"
import { reviewAddressed } from "../../jobs/pull-transitions.ts"
import { allAsks, currentRound } from "../../jobs/rounds.ts"
import type { NotNowAction } from "../../messages/nothing-to-do.ts"
import { notYours, say } from "../../messages/private-answers.ts"
import { troubleMessage } from "../../messages/refusals.ts"
import { readReview } from "../../pulls/review.ts"
import type { Click } from "../../slack/payloads.ts"
import type { Reply } from "../acknowledge.ts"
import { admitted } from "../admitted.ts"
import { acceptRequest } from "../answer-request.ts"
import { answerOf, muteFor } from "../answer-words.ts"
import type { AgentDeps } from "../deps.ts"
import { offerForm } from "../views/ask-form.ts"

export type OnClick = (deps: AgentDeps, click: Click) => Promise<Reply>

function acting(action: NotNowAction, act: typeof actions.cancel): OnClick {
  return admitted(async (deps, click) => {
    const result = await act(deps.context, wishOf(click))
    return { ack: answerOf(deps, result, action) }
  })
}

function wishOf({ value, user }: Click) {
  const [job = "", part] = value.split(" ")
  return { job, part, user }
}

function about(onClick: (deps: AgentDeps, user: string, job: Job) => Promise<Reply>): OnClick {
  return admitted(async (deps, click) => {
    const found = await deps.context.jobs.find(click.value)
    return found ? onClick(deps, click.user, found.job) : { ack: say("request_expired") }
  })
}

export const jobClicks: Readonly<Record<string, OnClick>> = {
  cancel: acting("cancel", actions.cancel),
  run_again: acting("run_again", actions.retry),
  look_again: admitted(async (deps, click) => {
    const found = await actions.lookAgain(deps.context, wishOf(click))
    return found.result === "none_found" || found.result === "unread"
      ? { ack: say(found.result) }
      : { ack: answerOf(deps, found, "look_again") }
  }),
  start_separately: acting("start_separately", actions.startSeparately),
  mute: admitted(async (deps, { value, user }) => ({ ack: await muteFor(deps, value, user) })),
  edit_and_run: admitted(async (deps, click) => {
    const editing = await actions.wordsToEdit(deps.context, wishOf(click))
    if ("result" in editing) return { ack: answerOf(deps, editing, "run_again") }
    const { job } = editing.found
    // If the channel is closed, the bot told of the ending in a direct message, which has no thread.
    const thread = job.channel === click.channel ? threadOf(job) : undefined
    const replaces = thread === undefined ? undefined : editing.asks.map(({ id }) => id)
    const given = { project: job.project, thread, replaces, prompt: { words: editing.words } }
    return { work: () => offerForm(deps, click, given) }
  }),
  address_review: about(addressReview),
}

/** Turns a review's comments into a follow-up. Only the requesters and admins may do so. */
async function addressReview(deps: AgentDeps, user: string, job: Job): Promise<Reply> {
  if (!mayActOn(deps.context.settings.access, user, allAsks(job)))
    return { ack: notYours(allAsks(job).map((ask) => ask.user)) }
  const { review, state, addressed = [] } = job.pull ?? {}
  if (!review || isOver(state) || state === "approved")
    return { ack: answerOf(deps, { result: "not_now", job }, "address_review") }
  const read = deps.reviews ? await readReview(deps.context, deps.reviews, job) : "unavailable"
  if (read === "unavailable")
    return { ack: troubleMessage("review_unread", deps.context.settings.access.admins) }
  if (read === "sent") return { ack: say("review_addressed") }
  if (read === "nothing") return { ack: say("review_empty") }
  const { project, channel } = job
  // Differs from that of a cancelled follow-up, so that the review can be sent again.
  const delivery = `review:${job.id}:${review.id}:${currentRound(job).id}:${addressed.length}`
  const ack = await acceptRequest(deps, {
    project,
    channel,
    thread: threadOf(job),
    user,
    job: job.id,
    kind: "review",
    prompt: read.prompt,
    delivery,
    anyway: true,
  })
  const ask = askId(delivery)
  if (!ack)
    await deps.context.jobs.change(job.id, ({ job: latest }) =>
      reviewAddressed(latest, ask, read.reviews),
    )
  return { ack }
}
