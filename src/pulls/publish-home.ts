import { admit } from "../asking/admit.ts"
import type { Context } from "../jobs/context.ts"
import { homeView } from "../messages/status-and-home.ts"
import type { HomeOpened } from "../slack/payloads.ts"
import { overviewOf } from "./read-overview.ts"

/** Publishes the Home tab of the person who opens it, or a refusal, which only they see. */
export async function publishHome(context: Context, { user, tab }: HomeOpened) {
  if (tab !== "home") return {}
  const work = async () => {
    const entry = await admit(context, { user })
    const home =
      "refusal" in entry
        ? ({ type: "home", blocks: entry.refusal.blocks } as const)
        : homeView(await overviewOf(context, entry.profile))
    await context.slack.outbound.publishHome(user, home)
  }
  return { work }
}
