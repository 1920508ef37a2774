import { endQuestion, findDraft } from "../../asking/drafts.ts"
import type { Draft } from "../../jobs/new-request.ts"
import { CHOOSE_PULL, say } from "../../messages/private-answers.ts"
import { SHARE_OUTCOMES } from "../../operating/outcomes-message.ts"
import { shareOutcomes } from "../../operating/report-outcomes.ts"
import type { Click } from "../../slack/payloads.ts"
import type { Reply } from "../acknowledge.ts"
import { admitted } from "../admitted.ts"
import { acceptRequest, confirmed } from "../answer-request.ts"
import type { AgentDeps } from "../deps.ts"
import { offerForm } from "../views/ask-form.ts"
import { allowTenMore, dropWaiting, resume } from "./admin-clicks.ts"
import { jobClicks, type OnClick } from "./job-clicks.ts"

export const agentClicks: Readonly<Record<string, OnClick>> = {
  ...jobClicks,
  run_anyway: drafted(runAnyway),
  ...Object.fromEntries(CHOOSE_PULL.map((action) => [action, admitted(choosePull)])),
  run_in_direct: drafted(runInDirect),
  open_draft: drafted(async (deps, click, draft) => ({
    work: () => offerForm(deps, click, draft),
  })),
  never_mind: async ({ context }, { user, channel = "", value }) => {
    await endQuestion(context.store, user, channel, value)
    return { replace: true }
  },
  forget_me: answerForget,
  keep_me: answerForget,
  [SHARE_OUTCOMES]: admitted(async (deps, click) => {
    await shareOutcomes(deps.visitors, click, click.value)
    return {}
  }),
  resume,
  allow_ten_more: allowTenMore,
  drop_waiting: dropWaiting,
  open_ask: async (deps, click) => ({ work: () => offerForm(deps, click) }),
  // Slack expects an acknowledgement although the link opens in the browser.
  view_pull_request: async () => ({}),
  review_changes: async () => ({}),
}

/** Answers a click on a button that this version no longer has. */
export async function outdated(_: AgentDeps, { replyUrl }: Click): Promise<Reply> {
  return replyUrl ? { ack: say("outdated") } : {}
}

function drafted(
  onClick: (deps: AgentDeps, click: Click, draft: Draft) => Promise<Reply>,
): OnClick {
  return async (deps, click) => {
    const draft = await findDraft(deps.context.store, click.user, click.value)
    return draft ? onClick(deps, click, draft) : { ack: say("expired"), replace: true }
  }
}

async function runAnyway(deps: AgentDeps, { value }: Click, draft: Draft): Promise<Reply> {
  return { ack: await acceptRequest(deps, confirmed(draft, value)), replace: true }
}

/** Sends a follow-up to the pull request that its requester chose. */
async function choosePull(deps: AgentDeps, { user, value }: Click): Promise<Reply> {
  const [id = "", job] = value.split(" ")
  const draft = await findDraft(deps.context.store, user, id)
  if (!draft) return { ack: say("expired"), replace: true }
  return { ack: await acceptRequest(deps, { ...confirmed(draft, id), job }), replace: true }
}

async function runInDirect(deps: AgentDeps, { user, value }: Click, draft: Draft): Promise<Reply> {
  const { channel } = await deps.context.slack.outbound.direct(user, say("in_direct"))
  const { thread: _, ts: __, replyUrl: ___, ...rest } = draft
  return { ack: await acceptRequest(deps, { ...confirmed(rest, value), channel }), replace: true }
}

/** Handles the answer to `forget-me`, which counts until it is done. */
async function answerForget(
  { forgetting }: AgentDeps,
  { user, action, value }: Click,
): Promise<Reply> {
  if (!(await forgetting.isAsked(user, value))) return { ack: say("forget_expired") }
  if (action === "forget_me") await forgetting.forget(user)
  else await forgetting.keep(user)
  return { ack: action === "forget_me" ? say("forgotten") : undefined, replace: true }
}
