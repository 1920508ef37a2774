import type { LocalGitHub } from "../../github/local-github.ts"
import type { PushedPull } from "../../github/pull.ts"
import type { LocalJob } from "../agent-job.ts"
import type { DocsService } from "../service.ts"
import { changeFor } from "./change.ts"

/** Returns the agent's changes for a job, or undefined before its pull request is opened. */
function pushedPull(job: LocalJob, repository: string): PushedPull | undefined {
  if (job.pullOpenedAt === null) return undefined
  const asked = [{ at: job.createdAt, prompt: job.prompt }, ...job.messages]
  return {
    repository,
    number: job.pull.number,
    title: titleOf(job.prompt),
    branch: job.source.ref,
    openedAt: job.pullOpenedAt,
    asked,
    files: changeFor(asked.map(({ prompt }) => prompt)),
    isWorking: job.status === "active",
  }
}

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

/** Returns the request in a prompt: its first paragraph, because quotes and evidence follow. */
function requestOf(prompt: string): string {
  const [request = ""] = prompt.trim().split(/\r?\n\s*\n/)
  return request.trim()
}

/** Returns a title, which agents make of a prompt's first line, whatever that says. */
function titleOf(prompt: string): string {
  const sentence = requestOf(prompt).split(/(?<=[.!?。])\s|\n/)[0] ?? ""
  const title = capitalised(cut(sentence.replace(/[.。]+$/, ""), 72))
  return title === "" ? "Update the documentation" : title
}

/** Shortens the text by code points, so that no character is split. */
function cut(text: string, length: number): string {
  const points = Array.from(text)
  return points.length <= length
    ? text
    : `${points
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`
}

function capitalised(text: string): string {
  const [first = "", ...rest] = text
  return first.toUpperCase() + rest.join("")
}
