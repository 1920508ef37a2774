import { type Markup, markup } from "../../html/markup.ts"
import { type LocalPull, obstacle, type PullAction } from "../pull.ts"

/** Returns the actions available to a person, as forms that post back to this page. */
export function decisions(pull: LocalPull): Markup {
  const offered = CHOICES.filter(([, action]) => obstacle(pull, action) === undefined)
  return markup`<div class="decisions" role="group" aria-label="Actions">${offered.map(button)}</div>`
}

const CHOICES: readonly (readonly [string, PullAction])[] = [
  ["Merge", { do: "merge" }],
  ["Approve", { do: "review", state: "APPROVED" }],
  ["Request changes", { do: "review", state: "CHANGES_REQUESTED" }],
  ["Convert to draft", { do: "draft" }],
  ["Ready for review", { do: "ready" }],
  ["Close", { do: "close" }],
  ["Reopen", { do: "reopen" }],
]

function button([label, action]: readonly [string, PullAction]): Markup {
  const fields = Object.entries<unknown>(action).map(
    ([name, value]) =>
      markup`<input type="hidden" name="${name}" value="${typeof value === "string" ? value : JSON.stringify(value)}">`,
  )
  // "Required when using REQUEST_CHANGES".
  const words =
    action.do === "review" && action.state === "CHANGES_REQUESTED"
      ? markup`<input name="body" required aria-label="What should change" placeholder="What should change">`
      : ""
  return markup`<form method="post">${fields}${words}<button>${label}</button></form>`
}
