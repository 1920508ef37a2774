import { threadOf } from "../jobs/job.ts"
import type { NotNowAction } from "../messages/refused-actions.ts"
import type { Click } from "../slack/payloads.ts"
import { admitted } from "./access-rules.ts"
import * as actions from "./act-on-job.ts"
import { answerOf, muteFor } from "./answer-verbs.ts"
import { offerForm } from "./ask-form.ts"
import type { Asking } from "./asking-context.ts"
import { cancel } from "./cancel-request.ts"
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

/** Buttons of a job's card and closing reply, by `action_id`. */
export const jobClicks: Clicks<Asking> = {
  cancel: acting("cancel", cancel),
  run_again: acting("run_again", actions.retry),
  start_separately: acting("start_separately", actions.startSeparately),
  mute: admitted(async (asking, { value, user }) => ({ ack: await muteFor(asking, value, user) })),
  edit_and_run: admitted(editAndRun),
  // Slack expects an acknowledgement although the link opens in the browser.
  view_pull_request: async () => ({}),
  review_changes: async () => ({}),
}

/** Opens the form with the words of a round, to run it again with others. */
async function editAndRun(asking: Asking, click: Click): Promise<Reply> {
  const editing = await actions.wordsToEdit(asking.context, wishOf(click))
  if ("result" in editing) return { ack: answerOf(asking, editing, "run_again") }
  const { job } = editing.found
  // If the channel is closed, the bot told of the ending in a direct message, which has no thread.
  const thread = job.channel === click.channel ? threadOf(job) : undefined
  const replaces = thread === undefined ? undefined : editing.asks.map(({ id }) => id)
  const given = { project: job.project, thread, replaces, prompt: { words: editing.words } }
  return { work: () => offerForm(asking.context, click, given) }
}
