import type { LocalJob } from "../agent-job.ts"
import { type Change, changeFor, type FileChange } from "./change.ts"
import { layout, timeOf } from "./layout.ts"
import { type Markup, markup } from "./markup.ts"
import { titleOf } from "./prompt-words.ts"
import { type DiffLine, type Hunk, unifiedDiff } from "./unified-diff.ts"

/** The page of an opened pull request, as a whole HTML document. */
export function pullRequestPage(job: LocalJob, repository: string, number: number): string {
  const change = changeFor([job.prompt, ...job.messages.map(({ prompt }) => prompt)])
  const title = titleOf(job.prompt)
  const commits = job.messages.length + 1
  return layout(
    `${title} #${number}`,
    repository,
    markup`<h1>${title} <span>#${number}</span></h1>
<div class="meta"><span class="pill">Open</span>
<span><b>docs-agent</b> wants to merge ${commits} ${commits === 1 ? "commit" : "commits"} into
<code>main</code> from <code>${job.source.ref}</code></span></div>
<nav aria-label="Pull request">
<a href="#conversation">Conversation <span class="count">${commits}</span></a>
<a href="#files">Files changed <span class="count">${change.files.length}</span></a></nav>
<div class="columns"><div>
<section id="conversation" aria-label="Conversation">${conversation(job, change)}</section>
<section id="files" aria-label="Files changed">${change.files.map(file)}</section>
</div>${facts(job)}</div>`,
  )
}

function conversation(job: LocalJob, change: Change): Markup {
  return markup`<article class="card"><header>${agent} <b>docs-agent</b> <span class="bot">bot</span>
opened this ${timeOf(job.pullOpenedAt ?? job.createdAt)}</header>
<div><h2>What was asked</h2><blockquote>${job.prompt}</blockquote></div></article>
${change.hasMarks ? notice : ""}
<p class="step">docs-agent ${change.hasMarks ? "would edit" : "edited"} ${change.files.map(({ path }) => markup`<code>${path}</code> `)}</p>
${job.messages.map(
  ({ at, prompt }) => markup`<article class="card"><header><span class="face person"
aria-hidden="true">AT</span> <b>Acme team</b> asked for more ${timeOf(at)}</header>
<div><blockquote>${prompt}</blockquote></div></article>
<p class="step">docs-agent ${job.status === "active" ? "is working on it" : "pushed another commit"}</p>`,
)}`
}

/** The newcomer came for a change: it must not look as if this were one. */
const notice = markup`<p class="notice"><b>This local service writes no documentation.</b> Your own
service's agent would put its change where the marked line stands below.</p>`

const agent = markup`<span class="face" aria-hidden="true">DA</span>`

function file({ path, before, after }: FileChange): Markup {
  const hunks = unifiedDiff(before, after)
  const count = (kind: DiffLine["kind"]) =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.kind === kind).length
  return markup`<article class="card"><header><code>${path}</code>
<span class="stat"><span class="plus">+${count("added")}</span>
<span class="minus">−${count("removed")}</span></span></header>
<div class="scroll" tabindex="0" role="region" aria-label="Changes to ${path}">
<table class="diff">${hunks.map(hunkRows)}</table></div></article>`
}

function hunkRows({ header, lines }: Hunk): Markup {
  return markup`<tr class="hunk"><td colspan="2"></td><td>${header}</td></tr>
${lines.map(
  ({ kind, text, before, after }) => markup`<tr class="${kind}"><td class="n">${before ?? ""}</td>
<td class="n">${after ?? ""}</td><td>${SIGN[kind]}${text}</td></tr>`,
)}`
}

const SIGN = { same: " ", added: "+", removed: "-" }

function facts(job: LocalJob): Markup {
  return markup`<aside aria-label="About this change"><dl>
<dt>Job</dt><dd><code>${job.id}</code></dd>
<dt>Status</dt><dd>${job.status}</dd>
<dt>Model</dt><dd>${job.model}</dd>
<dt>Asked</dt><dd>${timeOf(job.createdAt)}</dd>
<dt>Reviewers</dt><dd>None yet</dd></dl></aside>`
}
