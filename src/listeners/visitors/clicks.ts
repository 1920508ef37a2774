import { ALERT_REPORT } from "../../messages/visitors/alerts.ts"
import { visitorActions } from "../../messages/visitors/controls.ts"
import { GAP_ASK, gapRequested, requestFor } from "../../messages/visitors/gaps.ts"
import { expired } from "../../messages/visitors/notices.ts"
import type { Click } from "../../slack/payloads.ts"
import type { VisitorsDeps } from "../../visitors/deps.ts"
import { printOfGap, requestAbout } from "../../visitors/gap-requests.ts"
import type { Reply, RouteDeps } from "../answer.ts"
import { admit } from "../ask.ts"
import { tell } from "../tell.ts"
import { offerForm } from "../views/form.ts"
import { inquire } from "./inquire.ts"

export interface VisitorsRouteDeps extends RouteDeps {
  visitors: VisitorsDeps
}

/**
 * Returns the handlers of the controls on reports, gaps and alerts, by `action_id`. A worker does
 * the work of a report's controls.
 */
export function visitorClicks(
  deps: VisitorsRouteDeps,
): Readonly<Record<string, (click: Click) => Promise<Reply>>> {
  const asking = [...Object.values(visitorActions), ALERT_REPORT].map((action) => [
    action,
    ({ value, ...click }: Click) => inquire(deps, click, { kind: "click", action, value }),
  ])
  return {
    ...Object.fromEntries(asking),
    [GAP_ASK]: async (click) => ({ work: () => askAboutGap(deps, click) }),
  }
}

/** Opens the form with a gap's evidence, for "Ask the docs agent". */
async function askAboutGap({ agent, visitors }: VisitorsRouteDeps, click: Click): Promise<void> {
  const { user, value } = click
  const entry = await admit(agent, click)
  if ("refusal" in entry) return tell(agent, click, entry.refusal)
  const [id = "", n] = value.split(".")
  const found = await visitors.shown.loadGap(id, Number(n), user)
  if (!found) return tell(agent, click, expired("list", " gaps"))
  const { project, range, gap } = found
  const request = await requestAbout(agent, project, gap)
  if (request) return tell(agent, click, gapRequested(request))
  const filled = { initial: requestFor(gap, range), about: printOfGap(gap) }
  await offerForm(agent, click, { project, ...filled })
}
