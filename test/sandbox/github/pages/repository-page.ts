import { address, layout, timeOf } from "../../html/layout.ts"
import { markup } from "../../html/markup.ts"
import type { LocalPull } from "../pull.ts"
import { conditionOf } from "./condition.ts"

/** The pull requests of a repository, newest first, as a whole HTML document. */
export function repositoryPage(repository: string, pulls: readonly LocalPull[]): string {
  const items = pulls.toReversed().map(
    (pull) => markup`<li>
<a href="/${address(repository)}/pull/${pull.number}"><b>${pull.title}</b></a>
<small>#${pull.number} opened ${timeOf(pull.openedAt)} by docs-agent · ${conditionOf(pull)}</small></li>`,
  )
  const open = pulls.filter(({ state }) => state === "open").length
  const list = markup`<ul class="list">${items}</ul>`
  const nothing = markup`<div>No pull requests yet. Ask the docs agent for a change.</div>`
  return layout(
    "Pull requests",
    repository,
    markup`<h1>Pull requests</h1><section class="card"><header><b>${open} open</b></header>
${items.length > 0 ? list : nothing}</section>`,
  )
}

/** What is shown where there is no such repository or pull request. */
export function missingPage(path: string): string {
  return layout(
    "Not found",
    "acme/docs",
    markup`<h1>Not found</h1><p>There is no page <code>${path}</code> here. A pull request appears
once the agent has opened it.</p>`,
  )
}
