import { layout, type Markup, markup, timeOf } from "../../html/layout.ts"
import {
  commitsOf,
  type FileChange,
  type LocalPull,
  obstacle,
  type PullAction,
  type Review,
} from "../pull.ts"
import { linesOf, unifiedDiff } from "./unified-diff.ts"

/** Returns the page of a pull request, as a whole HTML document. */
export function pullPage(pull: LocalPull): string {
  const { title, number, repository, branch, files } = pull
  const commits = commitsOf(pull)
  const condition = conditionOf(pull)
  return layout(
    `${title} #${number}`,
    repository,
    markup`<h1>${title} <span>#${number}</span></h1>
<div class="meta"><span class="pill ${condition.toLowerCase()}">${condition}</span>
<span><b>docs-agent</b> wants to merge ${commits} ${commits === 1 ? "commit" : "commits"} into
<code>main</code> from <code>${branch}</code></span></div>
<section aria-label="Conversation">${conversation(pull)}${decisions(pull)}</section>
<section aria-label="Files changed">${files.map(file)}</section>`,
  )
}

function conditionOf({ mergedAt, state, draft }: LocalPull): string {
  if (mergedAt !== null) return "Merged"
  if (state === "closed") return "Closed"
  return draft ? "Draft" : "Open"
}

function conversation(pull: LocalPull): Markup {
  const [first, ...more] = pull.asked
  return markup`<article class="card"><header>${agent} <b>docs-agent</b> <span class="bot">bot</span>
opened this ${timeOf(pull.openedAt)}</header>
<div><h2>Request</h2><blockquote>${first?.prompt ?? ""}</blockquote></div></article>
${notice}
<p class="step">docs-agent edited ${pull.files.map(({ path }) => markup`<code>${path}</code> `)}</p>
${more.map(
  ({ at, prompt }, index) => markup`<article class="card"><header><span class="face person"
aria-hidden="true">AT</span> <b>Acme team</b> requested a follow-up ${timeOf(at)}</header>
<div><blockquote>${prompt}</blockquote></div></article>
<p class="step">docs-agent ${pull.isWorking && index === more.length - 1 ? "is working on it" : "pushed another commit"}</p>`,
)}
${pull.reviews.map(review)}
${ended(pull)}`
}

function review({ by, state, at, body, comments }: Review): Markup {
  return markup`<p class="step"><b>${by ?? "ghost"}</b> ${VERDICTS[state]} ${timeOf(at)}</p>
${body === "" ? "" : markup`<blockquote>${body}</blockquote>`}${comments.map(
  (one) =>
    markup`<blockquote><code>${one.path}${one.line === null ? "" : `:${one.line}`}</code> ${one.body}</blockquote>`,
)}`
}

function ended({ mergedAt, mergedBy, closedAt }: LocalPull): Markup | string {
  if (mergedAt !== null) {
    return markup`<p class="step"><b>${mergedBy ?? "ghost"}</b> merged this ${timeOf(mergedAt)}</p>`
  }
  return closedAt === null ? "" : markup`<p class="step">Closed ${timeOf(closedAt)}</p>`
}

const VERDICTS = {
  APPROVED: "approved this",
  CHANGES_REQUESTED: "requested changes",
  COMMENTED: "left a comment",
}

/** Notice that prevents new users from taking this for a real change. */
const notice = markup`<p class="notice"><b>This local service doesn't write documentation.</b> Your own
service's agent would make the change that you ask for.</p>`

const agent = markup`<span class="face" aria-hidden="true">DA</span>`

function file({ path, before, after }: FileChange): Markup {
  const { added, removed } = linesOf(before, after)
  return markup`<article class="card"><header><code>${path}</code>
<span class="stat"><span class="plus">+${added}</span>
<span class="minus">−${removed}</span></span></header>
<div class="scroll" tabindex="0" role="region" aria-label="Changes to ${path}">
<pre class="diff">${unifiedDiff(before, after).map(diffLine)}</pre></div></article>`
}

/** Looks of a line of a diff, by its first character. */
const LOOKS: Readonly<Record<string, string>> = { "@": "hunk", "+": "added", "-": "removed" }

function diffLine(line: string): Markup {
  return markup`<span class="${LOOKS[line[0] ?? ""] ?? "same"}">${line}</span>`
}

/** Returns the actions available to a person, as forms that post back to this page. */
function decisions(pull: LocalPull): Markup {
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
