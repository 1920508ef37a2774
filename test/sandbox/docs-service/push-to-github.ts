import type { LocalGitHub } from "../github/local-github.ts"
import type { FileChange, PushedPull } from "../github/pull.ts"
import type { LocalJob } from "./agent-job.ts"
import type { DocsService } from "./service.ts"

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

/** Changes that the local agent has prepared, in the order of the requests that push them. */
const PREPARED: readonly FileChange[] = [
  {
    path: "quickstart.mdx",
    before: `# Quickstart

You need Node.js 18 or newer and a free account.
`,
    after: `# Quickstart

You need Node.js 20.19 or newer and a free account.
`,
  },
  {
    path: "guides/webhooks.mdx",
    before: `# Webhooks

Anything but a 2xx status is retried.
`,
    after: `# Webhooks

Anything but a 2xx status is retried for 24 hours. The header
\`Acme-Attempt\` counts the attempts.
`,
  },
  {
    path: "self-hosting/install.mdx",
    before: `# Install on your own servers

- Node.js 18 or newer
- A domain with a certificate
`,
    after: `# Install on your own servers

- Node.js 20.19 or newer
- A domain with a certificate
`,
  },
]

/**
 * Returns the files that the agent changed for these requests: one more for each of the first three,
 * and another line for each further one. The first file has the path that the first request names.
 */
function changeFor(prompts: readonly string[]): readonly FileChange[] {
  const named = /[\w/-]+\.mdx?\b/.exec(prompts[0] ?? "")?.[0]
  const more = "More to come.\n".repeat(Math.max(0, prompts.length - PREPARED.length))
  return PREPARED.slice(0, prompts.length).map((file, n) =>
    n === 0 ? { ...file, path: named ?? file.path, after: file.after + more } : file,
  )
}
