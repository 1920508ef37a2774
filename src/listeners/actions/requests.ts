import {
  type ActionResult,
  askPreview,
  cancel,
  lookAgain,
  mute,
  retry,
  startSeparately,
  wordsToEdit,
} from "../../jobs/actions.ts"
import { isOver, threadOf } from "../../jobs/job.ts"
import { reviewAddressed } from "../../jobs/transitions.ts"
import { noPreview, readPreviewValue } from "../../messages/preview.ts"
import { mutedMessage, notNow } from "../../messages/private.ts"
import type { Click } from "../../slack/interactions.ts"
import { admit } from "../admit.ts"
import type { Reply } from "../answer.ts"
import { submitted } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"
import { answerOf } from "../verbs.ts"
import { offerForm } from "../views/form.ts"
import { publishHome } from "./home.ts"

type OnClick = (deps: AgentDeps, click: Click) => Promise<Reply>

/** A click by somebody who may ask here. Every click is authorised again: a card is public, its job is not. */
function admitted(onClick: OnClick): OnClick {
  return async (deps, click) => {
    const entry = await admit(deps, click)
    return "refusal" in entry ? { ack: entry.refusal } : onClick(deps, click)
  }
}

/** Does something about a job; on the Home tab that shows what became of it. */
function acting(
  what: Parameters<typeof answerOf>[1],
  act: (
    deps: AgentDeps,
    ids: { job: string; ask: string | undefined; user: string },
  ) => Promise<ActionResult>,
): OnClick {
  return admitted(async (deps, click) => {
    const [job = "", ask] = click.value.split(" ")
    const result = await act(deps, { job, ask, user: click.user })
    if (click.inView) return { work: () => publishHome(deps, click.user) }
    return { ack: answerOf(deps, what, result) }
  })
}

/** Buttons of cards and closing replies, by `action_id`. */
export const jobClicks: Readonly<Record<string, OnClick>> = {
  cancel: acting("cancel", cancel),
  run_again: acting("run_again", (deps, { job, user }) => retry(deps, job, user)),
  look_again: acting("look_again", (deps, { job, user }) => lookAgain(deps, job, user)),
  start_separately: acting("start_separately", (deps, { job, ask = "", user }) =>
    startSeparately({ ...deps, ...deps.submitting }, { job, ask, user }),
  ),
  mute: admitted(async (deps, click) => {
    await mute(deps, click.value, click.user)
    return { ack: mutedMessage() }
  }),
  edit_and_run: admitted(async (deps, click) => {
    const found = await wordsToEdit(deps, click.value, click.user)
    if ("result" in found) return { ack: answerOf(deps, "edit", found) }
    const { job } = found.found
    const initial = found.words
    return { work: () => offerForm(deps, click, { initial, project: job.project }) }
  }),
  address_review: admitted(addressReview),
  build_preview: admitted(buildPreview),
}

/** *Address the review*: its comments become a follow-up, for the requester or an admin. */
async function addressReview(deps: AgentDeps, click: Click): Promise<Reply> {
  const found = await deps.jobs.find(click.value)
  if (!found) return { ack: notNow("too_old") }
  const { job } = found
  const isTheirs = job.asks.some(({ user }) => user === click.user)
  if (!isTheirs && !deps.rules.admins.has(click.user))
    return { ack: answerOf(deps, "edit", { result: "not_yours", owners: [job.user] }) }
  const review = job.pull?.review
  if (!review) return { ack: notNow("ended") }
  if (review.state === "addressed") return { ack: notNow("review_addressed") }
  const work = async () => {
    const read = await deps.readReview?.(job.id)
    if (read === undefined || read === "unavailable") return notNow("review_unread")
    if (read === "nothing") return notNow("review_empty")
    const { project, team, channel } = job
    const request = {
      project,
      team,
      channel,
      user: click.user,
      thread: threadOf(job),
      kind: "review" as const,
      prompt: read.prompt,
      delivery: `review:${job.id}:${review.id}`,
      anyway: true,
    }
    const message = await submitted(deps, request)
    if (!message) await deps.jobs.change(job.id, ({ job: is }) => reviewAddressed(is, read.newest))
    return message
  }
  return { work }
}

/** *Build preview*: whoever may ask here may see the change. The reply shows what comes of it. */
async function buildPreview(deps: AgentDeps, click: Click): Promise<Reply> {
  const { id } = readPreviewValue(click.value)
  const found = await deps.jobs.find(id)
  if (!found) return { ack: noPreview("too_old") }
  const { state } = found.job.pull ?? {}
  if (isOver(state)) return { ack: noPreview(state) }
  if ((await deps.operations.presence(found.job.project, "preview")) === "absent")
    return { ack: noPreview("absent") }
  const result = await askPreview(deps, id, click.user)
  return result.result === "done" ? {} : { ack: noPreview("built") }
}
