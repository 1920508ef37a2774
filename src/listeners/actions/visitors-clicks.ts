import type { Click } from "../../slack/payloads.ts"
import { tell } from "../../slack/private-answer.ts"
import { ALERT_REPORT } from "../../visitors/alert-message.ts"
import { GAP_ASK, requestFor } from "../../visitors/gaps-message.ts"
import { visitorActions } from "../../visitors/report-buttons.ts"
import { expired } from "../../visitors/report-notices.ts"
import type { AgentDeps } from "../deps.ts"
import { offerForm } from "../views/ask-form.ts"
import { inquire } from "../visitors-question.ts"
import { admitted, type OnClick } from "./job-clicks.ts"

const asking: OnClick = (deps, { action, value, ...click }) =>
  inquire(deps, click, { kind: "click", action, value })

export const visitorClicks: Readonly<Record<string, OnClick>> = {
  ...Object.fromEntries(Object.values(visitorActions).map((action) => [action, asking])),
  [ALERT_REPORT]: asking,
  [GAP_ASK]: admitted(async (deps, click) => ({ work: () => askAboutGap(deps, click) })),
}

/** Opens the form with a gap's evidence, for "Ask the docs agent". */
async function askAboutGap(deps: AgentDeps, click: Click): Promise<void> {
  const { user, value } = click
  const [id = "", n] = value.split(".")
  const found = await deps.shown.loadGap(id, Number(n), user)
  if (!found) return tell(deps, click, expired("list", " gaps"))
  const { project, range, gap } = found
  await offerForm(deps, click, { project, prompt: { words: requestFor(gap, range) } })
}
