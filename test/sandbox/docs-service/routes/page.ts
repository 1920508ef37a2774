import { missingPage } from "../../html/layout.ts"
import { failure, html, type Reply } from "../../kit/reply.ts"
import { statusAt } from "../preview.ts"
import { previewPage } from "../pull-request/preview-page.ts"
import type { State } from "../state.ts"
import type { Target } from "../target.ts"

/** Returns the preview of a branch, without authorization, once its latest deployment succeeded. */
export function page(state: State, { segments, path }: Target): Reply {
  const [first, projectId = "", slug = ""] = segments
  if (first !== "previews") return failure(404, "Not found")
  return previewed(state, projectId, slug) ?? html(404, missingPage(path))
}

function previewed(state: State, projectId: string, slug: string): Reply | undefined {
  const preview = state.previews.at(projectId, slug)
  const repository = state.projects.get(projectId)?.repository
  if (!preview || repository === undefined) return undefined
  if (statusAt(preview, state.now()) !== "success") return undefined
  const job = state.jobs.ofProject(projectId).find(({ source }) => source.ref === preview.branch)
  return job && html(200, previewPage(job, repository))
}
