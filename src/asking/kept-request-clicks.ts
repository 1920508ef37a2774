import type { Draft } from "../jobs/request-types.ts"
import { say } from "../messages/private-answers.ts"
import { CHOOSE_PULL } from "../messages/questions.ts"
import type { Click } from "../slack/payloads.ts"
import { acceptRequest, confirmed } from "./accept-request.ts"
import { admitted } from "./access-rules.ts"
import { offerForm } from "./ask-form.ts"
import type { Asking } from "./asking-context.ts"
import { endQuestion, findDraft } from "./kept-requests.ts"
import type { Clicks, Reply } from "./work-after-ack.ts"

/** Makes the use of a button that names a draft, which its requester may have used up. */
function drafted(use: (asking: Asking, click: Click, draft: Draft) => Promise<Reply>) {
  return async (asking: Asking, click: Click): Promise<Reply> => {
    const draft = await findDraft(asking.context.store, click.user, click.value)
    return draft ? use(asking, click, draft) : { ack: say("expired"), replace: true }
  }
}

/** Buttons of the questions that the bot asks a person about a request, by `action_id`. */
export const draftClicks: Clicks<Asking> = {
  run_anyway: drafted(async (asking, { value }, draft) => ({
    ack: await acceptRequest(asking, confirmed(draft, value)),
    replace: true,
  })),
  ...Object.fromEntries(CHOOSE_PULL.map((action) => [action, admitted(choosePull)])),
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

/** Sends a follow-up to the pull request that its requester chose. */
async function choosePull(asking: Asking, { user, value }: Click): Promise<Reply> {
  const [id = "", job] = value.split(" ")
  const draft = await findDraft(asking.context.store, user, id)
  if (!draft) return { ack: say("expired"), replace: true }
  return { ack: await acceptRequest(asking, { ...confirmed(draft, id), job }), replace: true }
}

async function runInDirect(asking: Asking, { user, value }: Click, draft: Draft): Promise<Reply> {
  const { channel } = await asking.context.slack.outbound.direct(user, say("in_direct"))
  const { thread: _, ts: __, replyUrl: ___, ...rest } = draft
  return { ack: await acceptRequest(asking, { ...confirmed(rest, value), channel }), replace: true }
}
