import type { App } from "@slack/bolt"
import { line } from "../../messages/blocks.ts"
import { helpModal } from "../../messages/overview.ts"
import { type Click, readClick } from "../../slack/interactions.ts"
import { deliveryOf } from "../../slack/payloads.ts"
import { answerClick, type Reply } from "../answer.ts"
import { forgetMe, keepMe } from "../commands/forget-me.ts"
import type { AgentDeps } from "../deps.ts"
import { offerForm } from "../views/form.ts"
import { type VisitorsRouteDeps, visitorClicks } from "../visitors/clicks.ts"
import { neverMind, openDraft, retryAnyway, runAnyway, runInDirect } from "./drafts.ts"
import { publishHome, resume } from "./home.ts"
import { jobClicks } from "./requests.ts"

type OnClick = (deps: AgentDeps, click: Click) => Promise<Reply>

/** By `action_id`: of a button, or of a menu whose choice is the value. */
export const agentClicks: Readonly<Record<string, OnClick>> = {
  ...jobClicks,
  retry_anyway: retryAnyway,
  run_anyway: runAnyway,
  run_in_direct: runInDirect,
  open_draft: openDraft,
  never_mind: neverMind,
  forget_me: forgetMe,
  keep_me: keepMe,
  resume,
  open_ask: async (deps, click) => ({ work: () => offerForm(deps, click) }),
  how_to_ask: async (deps, { triggerId }) => ({
    work: async () => {
      if (triggerId) await deps.outbound.openModal(triggerId, helpModal())
    },
  }),
  refresh_home: async (deps, { user }) => ({ work: () => publishHome(deps, user) }),
  // A link button opens in the browser; Slack still tells, and wants an acknowledgement.
  view_pull_request: async () => ({}),
  open_preview: async () => ({}),
}

export function registerActions(app: App, deps: VisitorsRouteDeps): void {
  const clicks = {
    ...Object.fromEntries(
      Object.entries(agentClicks).map(([action, onClick]) => [
        action,
        (click: Click) => onClick(deps.agent, click),
      ]),
    ),
    ...visitorClicks(deps),
  }
  for (const [action, onClick] of Object.entries(clicks)) listen(app, deps, action, onClick)
  // Every matching listener runs, so buttons of another version are those that no other one takes.
  const known = Object.keys(clicks).map((action) => action.replace(/[^\w]/g, "\\$&"))
  listen(app, deps, new RegExp(`^(?!(${known.join("|")})$)`), outdated)
}

function listen(
  app: App,
  deps: VisitorsRouteDeps,
  action: string | RegExp,
  onClick: (click: Click) => Promise<Reply>,
) {
  app.action(action, async ({ body, context }) => {
    const click = readClick({ body, context })
    await answerClick(deps, deliveryOf(context), click, onClick(click))
  })
}

/** A button that nothing here listens to, such as one of an older version. */
async function outdated({ replyUrl }: Click): Promise<Reply> {
  const words = line("*This button has expired.* Send your request again.")
  return replyUrl ? { ack: words } : {}
}
