import { pullRequestPage } from "../pull-request/page.ts"
import { missingPage, repositoryPage } from "../pull-request/repository-page.ts"
import { html, type Reply } from "../reply.ts"
import type { State } from "../state.ts"
import type { Target } from "../target.ts"

/** `/{owner}/{repository}` and `/{owner}/{repository}/pull/{n}`, open to any browser. */
export function page(state: State, { segments, path }: Target): Reply {
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
