import type { LocalJob } from "../agent-job.ts"
import { address, layout, timeOf } from "./layout.ts"
import { markup } from "./markup.ts"
import { titleOf } from "./prompt-words.ts"

/** The open pull requests of a repository, newest first, as a whole HTML document. */
export function repositoryPage(repository: string, jobs: readonly LocalJob[]): string {
  const items = jobs
    .filter((job) => job.pullOpenedAt !== null)
    .toReversed()
    .map(
      ({ pull, prompt, pullOpenedAt, createdAt }) => markup`<li>
<a href="/${address(repository)}/pull/${pull?.number ?? ""}"><b>${titleOf(prompt)}</b></a>
<small>#${pull?.number ?? ""} opened ${timeOf(pullOpenedAt ?? createdAt)} by docs-agent</small></li>`,
    )
  const list = markup`<ul class="list">${items}</ul>`
  const nothing = markup`<div>No pull requests yet. Ask the docs agent for a change.</div>`
  return layout(
    "Pull requests",
    repository,
    markup`<h1>Pull requests</h1><section class="card"><header><b>${items.length} open</b></header>
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
