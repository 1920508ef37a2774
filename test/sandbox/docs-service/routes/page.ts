import { statusAt } from "../preview.ts"
import { pullRequestPage } from "../pull-request/page.ts"
import { previewPage } from "../pull-request/preview-page.ts"
import { missingPage, repositoryPage } from "../pull-request/repository-page.ts"
import { html, type Reply } from "../reply.ts"
import type { State } from "../state.ts"
import type { Target } from "../target.ts"

/** The preview of a branch, a repository and its pull requests, open to any browser. */
export function page(state: State, { segments, path }: Target): Reply {
  const [first, projectId = "", slug = ""] = segments
  if (first === "previews") return previewed(state, projectId, slug) ?? html(404, missingPage(path))
  const isPull = segments.at(-2) === "pull"
  const repository = (isPull ? segments.slice(0, -2) : segments).join("/")
  const known = [...state.projects.values()].filter((project) => project.repository === repository)
  if (known.length === 0) return html(404, missingPage(path))
  if (!isPull) {
    const jobs = known.flatMap((project) => state.jobs.ofProject(project.id))
    return html(200, repositoryPage(repository, jobs))
  }
  const number = Number(segments.at(-1))
  const job = state.jobs.byPull(repository, number)
  return job && job.pullOpenedAt !== null
    ? html(200, pullRequestPage(job, repository, number))
    : html(404, missingPage(path))
}

/** A branch has a page once its latest deployment succeeded. */
function previewed(state: State, projectId: string, slug: string): Reply | undefined {
  const preview = state.previews.at(projectId, slug)
  const repository = state.projects.get(projectId)?.repository
  if (!preview || repository === undefined) return undefined
  if (statusAt(preview, state.now()) !== "success") return undefined
  const job = state.jobs.ofProject(projectId).find(({ source }) => source.ref === preview.branch)
  return job && html(200, previewPage(job, repository))
}
