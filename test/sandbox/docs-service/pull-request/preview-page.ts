import { layout } from "../../html/layout.ts"
import { markup } from "../../html/markup.ts"
import type { LocalJob } from "../agent-job.ts"
import { changeFor } from "./change.ts"

/** Returns the pages that the job changed, as on its branch, as a whole HTML document. */
export function previewPage(job: LocalJob, repository: string): string {
  const { files } = changeFor([job.prompt, ...job.messages.map(({ prompt }) => prompt)])
  return layout(
    `Preview of ${job.source.ref}`,
    repository,
    markup`<h1>Preview <span>${job.source.ref}</span></h1>
${files.map(
  ({ path, after }) => markup`<article class="card"><header><code>${path}</code></header>
<div class="preview">${after}</div></article>`,
)}`,
  )
}
