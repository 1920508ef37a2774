import type { LocalGitHub } from "../../github/local-github.ts"
import type { DocsService } from "../service.ts"
import { pushedPull } from "./pushed-pull.ts"

/** Makes the agent open its pull requests on `github`. @returns a function that stops this. */
export function pushToGitHub(docs: DocsService, github: LocalGitHub): () => void {
  for (const { repository } of docs.projects) github.createRepository(repository)
  return docs.subscribe((event) => {
    if (event.type !== "job") return
    const project = docs.projects.find(({ id }) => id === event.job.projectId)
    const pushed = project && pushedPull(event.job, project.repository)
    if (pushed) github.push(pushed)
  })
}
