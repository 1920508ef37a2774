import { admit } from "../../asking/admit.ts"
import { homeView } from "../../messages/status-and-home.ts"
import { overviewOf } from "../../pulls/read-overview.ts"
import type { HomeOpened } from "../../slack/payloads.ts"
import type { AgentDeps } from "../deps.ts"

/** Publishes the Home tab of the person who opens it, or a refusal, which only they see. */
export async function openHome(deps: AgentDeps, { user, tab }: HomeOpened) {
  if (tab !== "home") return {}
  const work = async () => {
    const entry = await admit(deps.context, { user })
    if ("refusal" in entry)
      return deps.context.slack.outbound.publishHome(user, {
        type: "home",
        blocks: entry.refusal.blocks,
      })
    await deps.context.slack.outbound.publishHome(
      user,
      homeView(await overviewOf(deps.context, entry.profile)),
    )
  }
  return { work }
}
