import { threadOf } from "../jobs/job.ts"
import type { Draft } from "../jobs/request-record.ts"
import { say } from "../messages/private-answers.ts"
import { CHOOSE_PULL } from "../messages/questions.ts"
import type { NotNowAction } from "../messages/refused-actions.ts"
import type { Click } from "../slack/payloads.ts"
import { type Asking, acceptRequest, confirmed } from "./accept-request.ts"
import { admitted } from "./access-rules.ts"
import * as actions from "./act-on-job.ts"
import { answerOf, muteFor } from "./answer-verbs.ts"
import { directOf, offerForm } from "./ask-form.ts"
import { cancel } from "./cancel-request.ts"
import { endQuestion, findDraft } from "./kept-requests.ts"
import type { Clicks, Reply } from "./work-after-ack.ts"

function acting(action: NotNowAction, act: typeof cancel) {
  return admitted(async (asking: Asking, click: Click) => {
    const result = await act(asking.context, wishOf(click))
    return { ack: answerOf(asking, result, action) }
  })
}

/** Reads a button's value: the job and, for some, the request or round that it is about. */
export function wishOf({ value, user }: Click) {
  const [job = "", part, lastShown] = value.split(" ")
  return { job, part, lastShown, user }
}

/** Buttons of cards, closing replies and questions about a request, by `action_id`. */
export const jobClicks: Clicks<Asking> = {
  cancel: acting("cancel", cancel),
  run_again: acting("run_again", actions.retry),
  start_separately: acting("start_separately", actions.startSeparately),
  mute: admitted(async (asking, { value, user }) => ({ ack: await muteFor(asking, value, user) })),
  edit_and_run: admitted(editAndRun),
  // Slack expects an acknowledgement although the link opens in the browser.
  view_pull_request: async () => ({}),
  review_changes: async () => ({}),
  run_anyway: drafted(sendKept),
  ...Object.fromEntries(CHOOSE_PULL.map((action) => [action, admitted(drafted(sendKept))])),
  run_in_direct: drafted(runInDirect),
  open_draft: drafted(async ({ context }, click, draft) => ({
    work: () => offerForm(context, click, draft),
  })),
  open_ask: async ({ context }, click) => ({ work: () => offerForm(context, click) }),
  never_mind: async ({ context }, { user, channel = "", value }) => {
    await endQuestion(context.store, user, channel, value)
    return { replace: true }
  },
}

/** Opens the form with the words of a round, to run it again with others. */
async function editAndRun(asking: Asking, click: Click): Promise<Reply> {
  const editing = await actions.wordsToEdit(asking.context, wishOf(click))
  if ("result" in editing) return { ack: answerOf(asking, editing, "run_again") }
  const { job } = editing.found
  // If the channel is closed, the bot told of the ending in a direct message, which has no thread.
  const thread = job.channel === click.channel ? threadOf(job) : undefined
  const itsRound = { job: job.id, replaces: editing.asks.map(({ id }) => id) }
  const about = thread === undefined ? {} : { thread, ...itsRound }
  const given = { project: job.project, ...about, prompt: { words: editing.words } }
  return { work: () => offerForm(asking.context, click, given) }
}

/** Makes the use of a button that names a draft, which its requester may have used up. */
function drafted(use: (asking: Asking, click: Click, draft: Draft) => Promise<Reply>) {
  return async (asking: Asking, click: Click): Promise<Reply> => {
    const [id = ""] = click.value.split(" ")
    const draft = await findDraft(asking.context.store, click.user, id)
    return draft ? use(asking, click, draft) : { ack: say("expired"), replace: true }
  }
}

/** Sends a kept request; a follow-up goes to the pull request that its requester chose. */
async function sendKept(asking: Asking, { value }: Click, draft: Draft): Promise<Reply> {
  const [id = "", job = draft.job] = value.split(" ")
  return { ack: await acceptRequest(asking, { ...confirmed(draft, id), job }), replace: true }
}

async function runInDirect(asking: Asking, { user, value }: Click, draft: Draft): Promise<Reply> {
  const channel = await directOf(asking.context, user)
  const { thread: _, ts: __, replyUrl: ___, ...rest } = draft
  return { ack: await acceptRequest(asking, { ...confirmed(rest, value), channel }), replace: true }
}
